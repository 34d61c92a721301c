/**
 * Runs a WASI program like flite with no more of an operating system than it asks for, in memory: its arguments, one
 * directory, and one file that it writes. No disk, no clock, no environment. (WASI snapshot preview 1; `node:wasi`
 * would warn and use the disk.)
 */

/** Bytes that a program may write to its file: ten minutes of its 16 kHz audio. */
const FILE_BYTES_MAX = 20 * 1_048_576;
/** Characters of a program's own messages that are kept. */
const MESSAGES_CHARS_MAX = 2_000;

const ROOT_FD = 3;
const FILE_FD = 4;

const OK = 0;
const EBADF = 8;
const EINVAL = 28;
const ENOSPC = 51;
const ESPIPE = 70;

class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`);
  }
}

export class WasiProgram {
  #state: { readonly instance: WebAssembly.Instance; readonly fresh: Uint8Array } | undefined;
  #args: readonly Uint8Array[] = [];
  #file = new Uint8Array(64 * 1_024);
  #fileBytes = 0;
  #position = 0;
  #messages = "";

  constructor(private readonly module: WebAssembly.Module) {}

  /**
   * Runs the program from start to end; returns what it wrote to its file. Throws when it fails.
   *
   * A program may run once in its life, and setting one up for each run takes time and 20 MB. A run that returns leaves
   * nothing but its memory behind, so putting the memory back as it was makes the program new again.
   */
  run(args: readonly string[]): Uint8Array {
    this.#args = args.map((arg) => new TextEncoder().encode(`${arg.replaceAll("\0", "")}\0`));
    this.#fileBytes = 0;
    this.#position = 0;
    this.#messages = "";
    this.#renew();
    const { instance } = this.#state!;
    try {
      (instance.exports._start as () => void)();
    } catch (error) {
      this.#state = undefined;
      if (!(error instanceof Exit)) throw error;
      if (error.code !== 0) throw new Error(`the program failed with ${error.code}: ${this.#messages}`);
    }
    return this.#file.slice(0, this.#fileBytes);
  }

  #renew(): void {
    if (this.#state === undefined) {
      const instance = new WebAssembly.Instance(this.module, { wasi_snapshot_preview1: this.#imports() });
      this.#state = { instance, fresh: memoryOf(instance).slice() };
      return;
    }
    const { instance, fresh } = this.#state;
    const memory = memoryOf(instance);
    memory.set(fresh);
    memory.fill(0, fresh.length);
  }

  get #bytes(): Uint8Array {
    return memoryOf(this.#state!.instance);
  }

  get #view(): DataView {
    return new DataView(this.#bytes.buffer);
  }

  #imports(): WebAssembly.ModuleImports {
    return {
      args_sizes_get: (countAt: number, sizeAt: number) => {
        this.#view.setUint32(countAt, this.#args.length, true);
        this.#view.setUint32(
          sizeAt,
          this.#args.reduce((sum, arg) => sum + arg.length, 0),
          true,
        );
        return OK;
      },
      args_get: (pointersAt: number, textAt: number) => {
        let at = textAt;
        for (const [i, arg] of this.#args.entries()) {
          this.#view.setUint32(pointersAt + 4 * i, at, true);
          this.#bytes.set(arg, at);
          at += arg.length;
        }
        return OK;
      },
      clock_time_get: (_clock: number, _precision: bigint, timeAt: number) => {
        this.#view.setBigUint64(timeAt, 0n, true);
        return OK;
      },
      proc_exit: (code: number) => {
        throw new Exit(code);
      },
      ...this.#fileImports(),
    };
  }

  #fileImports(): WebAssembly.ModuleImports {
    return {
      fd_prestat_get: (fd: number, statAt: number) => {
        if (fd !== ROOT_FD) return EBADF;
        this.#view.setUint32(statAt, 0, true);
        this.#view.setUint32(statAt + 4, 1, true);
        return OK;
      },
      fd_prestat_dir_name: (_fd: number, nameAt: number) => {
        this.#bytes[nameAt] = "/".charCodeAt(0);
        return OK;
      },
      fd_fdstat_get: (fd: number, statAt: number) => {
        this.#bytes.fill(0, statAt, statAt + 24);
        this.#bytes[statAt] =
          fd === ROOT_FD ? FILETYPE_DIRECTORY : fd === FILE_FD ? FILETYPE_FILE : FILETYPE_CHARACTERS;
        this.#view.setBigUint64(statAt + 8, ALL_RIGHTS, true);
        this.#view.setBigUint64(statAt + 16, ALL_RIGHTS, true);
        return OK;
      },
      fd_fdstat_set_flags: () => OK,
      fd_close: () => OK,
      path_open: (...args: readonly (number | bigint)[]) => {
        this.#position = 0;
        this.#view.setUint32(Number(args[8]), FILE_FD, true);
        return OK;
      },
      fd_read: (_fd: number, _vectorsAt: number, _count: number, readAt: number) => {
        this.#view.setUint32(readAt, 0, true);
        return OK;
      },
      fd_seek: (fd: number, offset: bigint, whence: number, positionAt: number) => {
        if (fd !== FILE_FD) return ESPIPE;
        const from = [0, this.#position, this.#fileBytes][whence] ?? 0;
        const position = from + Number(offset);
        if (position < 0 || position > FILE_BYTES_MAX) return EINVAL;
        this.#position = position;
        this.#view.setBigUint64(positionAt, BigInt(position), true);
        return OK;
      },
      fd_write: (fd: number, vectorsAt: number, count: number, writtenAt: number) => {
        let written = 0;
        for (let i = 0; i < count; i++) {
          const at = this.#view.getUint32(vectorsAt + 8 * i, true);
          const bytes = this.#bytes.subarray(at, at + this.#view.getUint32(vectorsAt + 8 * i + 4, true));
          if (fd === FILE_FD && !this.#writeFile(bytes)) return ENOSPC;
          if (fd < ROOT_FD) this.#note(bytes);
          written += bytes.length;
        }
        this.#view.setUint32(writtenAt, written, true);
        return OK;
      },
    };
  }

  #writeFile(bytes: Uint8Array): boolean {
    const end = this.#position + bytes.length;
    if (end > FILE_BYTES_MAX) return false;
    if (end > this.#file.length) {
      const larger = new Uint8Array(Math.min(FILE_BYTES_MAX, Math.max(end, this.#file.length * 2)));
      larger.set(this.#file.subarray(0, this.#fileBytes));
      this.#file = larger;
    }
    this.#file.set(bytes, this.#position);
    this.#position = end;
    this.#fileBytes = Math.max(this.#fileBytes, end);
    return true;
  }

  #note(bytes: Uint8Array): void {
    const room = MESSAGES_CHARS_MAX - this.#messages.length;
    this.#messages += new TextDecoder().decode(bytes).slice(0, room);
  }
}

/** The program's memory as it is now: when it grows, earlier views of it are empty. */
function memoryOf(instance: WebAssembly.Instance): Uint8Array {
  return new Uint8Array((instance.exports.memory as WebAssembly.Memory).buffer);
}

const FILETYPE_CHARACTERS = 2;
const FILETYPE_DIRECTORY = 3;
const FILETYPE_FILE = 4;
const ALL_RIGHTS = 0xffff_ffff_ffff_ffffn;
