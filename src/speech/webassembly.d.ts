/** What we use of Node's `WebAssembly`: its types come with the browser's library only, which does not belong here. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }

  type ModuleImports = Readonly<Record<string, (...args: never[]) => unknown>>;

  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, ModuleImports>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }

  interface Memory {
    readonly buffer: ArrayBuffer;
  }

  function compile(bytes: Uint8Array): Promise<Module>;
}
