/** Somebody changes permissions and contents while the sync is at work, at any of its calls. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { watched } from "./interrupted-door.test-util.js";
import { NO_ABORT, type Upload, World, type WorldChunk } from "./world.test-util.js";

const KEYS = ["a.txt", "b.txt", "c.txt"] as const;
const USERS = ["ann", "bo", "cy"];

/** What somebody does, and behind which call of the sync. */
interface Change {
  readonly call: number;
  readonly key: (typeof KEYS)[number];
  readonly upload: Upload;
  readonly text: string | undefined;
  readonly deletes: boolean;
}

const grants = fc.record(
  {
    allowed_users: fc.subarray(USERS),
    allowed_groups: fc.subarray(["crew", "leads"]),
    visibility: fc.constantFrom("network", "restricted"),
  },
  { requiredKeys: [] },
);

const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record({
    call: fc.nat(70),
    key: fc.constantFrom(...KEYS),
    upload: grants as fc.Arbitrary<Upload>,
    text: fc.option(fc.constantFrom("Version two.", "Version three.\n\nWith more."), { nil: undefined }),
    deletes: fc.boolean(),
  }),
  { maxLength: 6 },
);

/** Who may read, by the rule that the metadata stand for, written down once more. */
function readersOf(metadata: Upload): readonly string[] {
  const users = (metadata.allowed_users ?? []).map((name) => `user ${name}`);
  const groups = (metadata.allowed_groups ?? []).map((name) => `group ${name}`);
  const hasLists = metadata.allowed_users !== undefined || metadata.allowed_groups !== undefined;
  const isOpen = metadata.visibility === undefined ? !hasLists : metadata.visibility === "network";
  return [...users, ...groups, ...(isOpen ? ["everybody"] : [])].sort();
}

function readersOfChunk({ allowed_users, allowed_groups, visibility }: WorldChunk): readonly string[] {
  return readersOf({ allowed_users, allowed_groups, visibility });
}

describe("changes while a sync is at work", () => {
  it("end with exactly what the metadata say, and never show a chunk wider than they ever said", async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (planned) => {
        const world = await World.open();
        try {
          await play(world, planned);
        } finally {
          await world.close();
        }
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});

async function play(world: World, planned: readonly Change[]): Promise<void> {
  const wanted = new Map<string, { upload: Upload; text: string }>();
  /** Everybody whom the metadata of a document have ever let in. */
  const ever = new Map<string, Set<string>>();
  const note = (key: string, upload: Upload, text: string) => {
    wanted.set(key, { upload, text });
    const readers = ever.get(key) ?? new Set();
    for (const reader of readersOf(upload)) readers.add(reader);
    ever.set(key, readers);
  };
  for (const key of KEYS) {
    await world.upload(key, "Version one.", { allowed_users: ["ann", "bo"] });
    note(key, { allowed_users: ["ann", "bo"] }, "Version one.");
  }
  let call = 0;
  const sync = world.sync((door) =>
    watched(door, async (_name, when) => {
      if (when === "before") return;
      call += 1;
      for (const { key, upload, text, deletes } of planned.filter((change) => change.call === call)) {
        const now = wanted.get(key);
        if (deletes) {
          await world.describe(key, { ...upload, status: "deleted" });
          wanted.delete(key);
          continue;
        }
        const next = text ?? now?.text ?? "Version one.";
        await world.upload(key, next, upload);
        note(key, upload, next);
      }
      for (const chunk of await world.chunks())
        for (const reader of readersOfChunk(chunk)) expect(ever.get(chunk.document_id)).toContain(reader);
    }),
  );
  await sync.once(NO_ABORT);
  // What came in the very end is for the next one.
  await world.sync().once(NO_ABORT);
  const chunks = await world.chunks();
  expect(new Set(chunks.map(({ document_id }) => document_id))).toEqual(new Set(wanted.keys()));
  for (const chunk of chunks) {
    const { upload, text } = wanted.get(chunk.document_id)!;
    expect(readersOfChunk(chunk)).toEqual(readersOf(upload));
    expect(text).toContain(chunk.text.split("\n")[0]);
  }
  expect(new Set(Object.values(await world.statuses()))).toEqual(
    new Set(wanted.size === 0 ? [] : ["synced"]),
  );
}
