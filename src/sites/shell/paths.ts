/** Files that no command should open to read them: they hold secrets, or reading them does something or never ends. */
import { posix } from "node:path";
import { pattern } from "../../lib/pattern.js";

const UNREADABLE = pattern()`
(?:^|/)(?:
g?shadow-?|opasswd|environ|kcore|kmsg|trace_pipe|credentials|kubeconfig
|id_(?:rsa|dsa|ecdsa|ed25519)|\.env(?:\.\w+)?|\.pgpass|\.netrc|\.my\.cnf|\.git-credentials|\.bash_history|[\w.-]*\.key
)$
|(?:^|/)(?:\.ssh|\.aws|\.gnupg|\.kube|\.docker|secrets|private)(?:/|$)
|^/proc/\w+/(?:mem|fd)\b|^/inet|^/?dev/(?!null$)|/root/dev/`;

/** What a pattern of file names might stand for, among much else. */
const SAMPLES = `/etc/shadow /etc/gshadow /etc/ssl/private/x.key /etc/ssh/ssh_host_rsa_key /root/.ssh/id_rsa
  /home/x/.ssh/id_rsa ~/.ssh/id_rsa ~/.aws/credentials ~/.pgpass /proc/1/environ /proc/kcore /proc/kmsg /dev/watchdog
  /dev/mem /run/secrets/x`.split(/\s+/);

/** Whether a word of a command names such a file, also behind `=`, `:`, `@` or `,`. */
export function namesUnreadable(word: string): boolean {
  return word.split(/[=:@,]/).some((part) => UNREADABLE.test(posix.normalize(part)));
}

/** Whether a pattern for file names (`*`, `?`, `[…]`) might stand for such a file. Patterns of bare names are not. */
export function mayNameUnreadable(glob: string): boolean {
  const before = /^[^*?[]*/.exec(glob)![0];
  const after = glob.slice(Math.max(...["*", "?", "]"].map((mark) => glob.lastIndexOf(mark))) + 1);
  if (namesUnreadable(glob) || namesUnreadable(before)) return true;
  return glob.includes("/") && SAMPLES.some((path) => path.startsWith(before) && path.endsWith(after));
}
