/** The commands: what each is for, and where it is. Only the one that runs is loaded: together they take a second. */
import { Command } from "commander";

interface CommandEntry {
  readonly name: string;
  readonly description: string;
  load(): Promise<(signal: AbortSignal) => Command>;
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: "serve",
    description: "Run the service: relays on one port, HTTP on another, metrics on a third",
    load: async () => (await import("./serve.js")).serveCommand,
  },
  {
    name: "ask",
    description: "Ask a running service one question, as a relay would",
    load: async () => (await import("./ask.js")).askCommand,
  },
  {
    name: "evaluate",
    description: "Ask the questions of a data set, and measure the answers",
    load: async () => (await import("./evaluate.js")).evaluateCommand,
  },
  {
    name: "ingest",
    description: "Bring a network's knowledge up to date with a folder or a bucket of documents",
    load: async () => (await import("./ingest.js")).ingestCommand,
  },
  {
    name: "sync",
    description: "Bring the knowledge up to date with the folder, bucket or connector of the settings",
    load: async () => (await import("./sync.js")).syncCommand,
  },
  {
    name: "documents",
    description: "Look at the documents of a network, as their operator",
    load: async () => (await import("./documents.js")).documentsCommand,
  },
  {
    name: "search",
    description: "Show what a user would be given for a query, and why",
    load: async () => (await import("./search.js")).searchCommand,
  },
  {
    name: "benchmark-retrieval",
    description: "Measure search on a data set in BEIR form: each way of ranking, and all of them fused",
    load: async () => (await import("./benchmark-retrieval.js")).benchmarkRetrievalCommand,
  },
  {
    name: "dead-letters",
    description: "Look at what could not be ingested, and try it again",
    load: async () => (await import("./dead-letters.js")).deadLettersCommand,
  },
  {
    name: "index",
    description: "Look after the indices: those in Elasticsearch, or the embedded one of a network",
    load: async () => (await import("./index-command.js")).indexCommand,
  },
  {
    name: "routes",
    description: "Train the classifier that chooses what a message needs, from what was decided before",
    load: async () => (await import("./routes.js")).routesCommand,
  },
  {
    name: "unanswered",
    description:
      "List what was asked in vain, the most frequent first; kept where chat.log_unanswered is set",
    load: async () => (await import("./unanswered.js")).unansweredCommand,
  },
  {
    name: "sites",
    description: "Look at the systems of the sites: what is connected, what may be asked, and why not",
    load: async () => (await import("./sites.js")).sitesCommand,
  },
  {
    name: "ledger",
    description: "Tell what was done by voice and who consented, and prove that nothing of it was changed",
    load: async () => (await import("./ledger.js")).ledgerCommand,
  },
  {
    name: "guide",
    description: "Check guides, and write them out for people and for other programs",
    load: async () => (await import("./guide.js")).guideCommand,
  },
  {
    name: "backup",
    description: "Copy all that is kept on disk to a file; the service may run meanwhile",
    load: async () => (await import("./backup.js")).backupCommand,
  },
  {
    name: "restore",
    description: "Put back what a backup holds, while no service runs",
    load: async () => (await import("./backup.js")).restoreCommand,
  },
  {
    name: "relay-sim",
    description: "Play many users against a service, and hold it to the rules of the wire",
    load: async () => (await import("./relay-sim.js")).relaySimCommand,
  },
  {
    name: "config",
    description: "Print the settings in effect, with secrets masked",
    load: async () => (await import("./config.js")).configCommand,
  },
];

/** All commands; but for the one that `args` name, their names and descriptions only. */
export async function commandsFor(args: readonly string[], signal: AbortSignal): Promise<readonly Command[]> {
  // `help` takes the name of a command, too.
  const named = args.find((arg) => arg !== "help" && !arg.startsWith("-"));
  return Promise.all(
    COMMANDS.map(async ({ name, description, load }) => {
      const command = name === named ? (await load())(signal) : new Command(name);
      return command.description(description);
    }),
  );
}
