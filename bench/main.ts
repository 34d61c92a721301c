/**
 * Runs the benchmarks, all of them or those that are named: `npm run bench -- decoder quality`. What begins with `--`,
 * and all that follows it, is for the one that is named: `npm run bench -- answers --half a`. Each compares
 * Readback with named peers in the same run; figures of different machines, or of different runs, are not comparable.
 */
import { cpus } from "node:os";

interface Benchmark {
  run(): Promise<void>;
  /** Where it takes options. */
  runWith?(options: readonly string[]): Promise<void>;
}

const BENCHMARKS: Readonly<Record<string, () => Promise<Benchmark>>> = {
  decoder: () => import("./decoder.js"),
  ogg: () => import("./ogg.js"),
  service: () => import("./service-latency.js"),
  "first-audio": () => import("./first-audio.js"),
  interrupt: () => import("./interrupt.js"),
  load: () => import("./load.js"),
  hostile: () => import("./hostile.js"),
  overload: () => import("./overload.js"),
  blocks: () => import("./blocks.js"),
  retrieval: () => import("./retrieval-size.js"),
  revocation: () => import("./revocation.js"),
  grounding: () => import("./grounding.js"),
  quality: () => import("./retrieval-quality.js"),
  router: () => import("./router.js"),
  elasticsearch: () => import("./elasticsearch-quality.js"),
  targets: () => import("./targets.js"),
  answers: () => import("./answers.js"),
  refusal: () => import("./refusal.js"),
  verifier: () => import("./verifier.js"),
  calibration: () => import("./calibration.js"),
  consent: () => import("./consent.js"),
  traces: () => import("./traces.js"),
  guide: () => import("./guide.js"),
  builder: () => import("./builder.js"),
};

await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  const firstOption = args.findIndex((arg) => arg.startsWith("--"));
  const named = firstOption < 0 ? args : args.slice(0, firstOption);
  const options = args.slice(named.length);
  const unknown = named.filter((name) => BENCHMARKS[name] === undefined);
  if (unknown.length > 0) {
    const known = Object.keys(BENCHMARKS).join(", ");
    console.error(`There is no benchmark ${unknown.join(", ")}. There are: ${known}.`);
    process.exitCode = 1;
    return;
  }
  if (options.length > 0 && named.length !== 1) {
    console.error("Options are for one benchmark: name it before them.");
    process.exitCode = 1;
    return;
  }
  console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}\n`);
  const startMs = performance.now();
  for (const name of named.length > 0 ? named : Object.keys(BENCHMARKS)) {
    const benchmark = await BENCHMARKS[name]!();
    if (options.length === 0) await benchmark.run();
    else if (benchmark.runWith !== undefined) await benchmark.runWith(options);
    else throw new Error(`the benchmark ${name} takes no options`);
  }
  console.log(`\n${((performance.now() - startMs) / 1_000).toFixed(0)} s`);
}
