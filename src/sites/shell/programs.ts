/**
 * What is known to only read: programs, their subcommands and options, by their manuals, in the notation of `usage.ts`.
 * What does not stand here is a write: what writes, runs something else, shows secrets or asks is left out.
 */
import { type ProgramUsages, readUsages } from "./usage.js";

const FILES = String.raw`
ls dir vdir stat du df findmnt lsblk realpath readlink basename dirname namei lsattr getfacl pwd: * /any
echo true false : whoami id groups nproc arch uname uptime tty logname users seq factor which type: * /any
lscpu lsmem lsmod lsipc lsns lslocks who w locale pgrep pidof pstree: *
cat tac wc nl fold expand unexpand cut paste join comm tr rev od hexdump strings cksum sum b2sum fmt column numfmt: *
md5sum sha1sum sha224sum sha256sum sha384sum sha512sum cmp grep egrep fgrep head: *
tail: -qvz -n: -c: -s: -# --lines: --bytes: --pid: --quiet --verbose -f~ -F~ --follow?~
diff sdiff: -qsiwbBEZryutNa -c -U: -C: -W: -x: --brief --unified? --context? --side-by-side --width: --recursive --text
  --ignore-all-space --ignore-space-change --ignore-case --ignore-blank-lines --color? --exclude: --new-file
sort: -bdfgiMhnRrVcCuzms -k: -t: -S: --key: --field-separator: --reverse --unique --numeric-sort --human-numeric-sort
  --general-numeric-sort --version-sort --ignore-case --stable --check? --sort: --parallel: --zero-terminated --debug
uniq: -cdDiuz -f: -s: -w: --count --repeated --unique --ignore-case --skip-fields: --skip-chars: --all-repeated? --group? #0-1
base64 base32: -dDi -w: --decode --wrap: --ignore-garbage
xxd: -abeiuE -c: -g: -l: -s: -o: #0-1
tree: /any -adflpsughDFqNrtcUvCnixJ -L: -P: -I: --dirsfirst --du --noreport --prune --filelimit: --matchdirs --inodes --sort:
file: -bikLhNrs0 -F: --brief --mime --mime-type --mime-encoding --dereference
zcat bzcat xzcat: -fq
zgrep bzgrep xzgrep: -ivnclhHowxqsEF -e: -m: -A: -B: -C:
zipinfo: -12slmvhtTz
rg: -nilcvwFxoHIsSuNUa -e: -A: -B: -C: -g: -t: -T: -m: -M: -j: -d: --files --hidden --no-ignore --json --stats --count
  --line-number --ignore-case --glob: --type: --max-count: --color: --no-heading --max-depth: --sort:
exiftool: #1-
jq: -rcneRsSMCja --raw-output --compact-output --null-input --slurp --raw-input --sort-keys --tab --arg --argjson
  --exit-status --slurpfile --args --color-output --join-output --indent: all:jq
awk gawk mawk nawk: -F: -v: #1- first:awk
sed: -nErsuz --quiet --silent --regexp-extended #1- first:sed
sed: -nErsuz --quiet --silent --regexp-extended !-e@sed !--expression@sed
find: single /any -H -L -P -name: -iname: -path: -ipath: -wholename: -regex: -iregex: -regextype: -type: -xtype: -size:
  -mtime: -atime: -ctime: -mmin: -amin: -cmin: -newer: -newermt: -newerct: -anewer: -cnewer: -user: -group: -uid: -gid:
  -nouser -nogroup -perm: -links: -inum: -samefile: -lname: -empty -executable -readable -writable -true -false -maxdepth:
  -mindepth: -depth -mount -xdev -daystart -follow -noleaf -fstype: -prune -quit -print -print0 -printf: -ls -a -o -and -or -not
locate mlocate plocate: -icAbelqrw -n: -l: --limit: --count --existing --ignore-case --basename
test [: single /any -b -c -d -e -f -g -G -h -k -L -N -O -p -r -s -S -t -u -w -x -n -z -a -o -eq -ne -lt -le -gt -ge -nt -ot -ef
printf: single #1- first:printf
cd: #0-1 /^(?!.*\.\.)(?![-/ ]*$)(?!\/?(?:dev|proc|sys|etc|root)(?:\/|$))[^-].*$/
exit: /^\d{0,3}$/
openssl > version: -a -v
openssl > x509: single !-noout -in: -inform: -text -dates -startdate -enddate -subject -issuer -serial -fingerprint -sha256
  -hash -email -purpose -checkend: -ext: -nameopt:
`;

const MACHINE = String.raw`
ps: -AadefFHjlLMTNwyZc -C: -G: -g: -O@columns -o@columns -p: -q: -s: -t: -U: -u: --cols: --columns: --forest
  --format@columns --headers --no-headers --no-heading --pid: --ppid: --sort: --user: --width: --group: --tty: #0
ps: -ww --sort: --no-headers --forest --cols: --width: /^[aAcfghjlLmnrsTuvwxX]+(?:[opUqt] (?!.*env)[\w%,:=]+)?$/
free: -bkmghtlwvL -c: -s:~ --human --mega --giga --kibi --mebi --gibi --bytes --si --total --wide --lohi
top: !-b ^-n: -HicS1 -d: -o: -p: -u: -U: -w?
vmstat iostat mpstat: -aAcdDfimnNstuVwxyhkz -S: -P: -I: -p: -o: --human --pretty /^(?:\d+ \d+)?$/
pidstat sar: -AbBdFhHpqrRSuvwWylstUI -n: -P: -m: -p: -C: /^(?:\d+ \d+)?$/
last lastb: -adFiwx0 -n: -s: -t: -p: -# --since: --until: --limit: --fulltimes
lastlog: -u: -t: -b: --user: --time: --before:
lspci: -nvkmDtbx -s: -d: -i:
lsusb: -tv -s: -d: -D:
hostname: -fiIsdAy --fqdn --long --ip-address --all-ip-addresses --short --domain #0
domainname nisdomainname dnsdomainname atq mailq runlevel: #0
date: -uR -d: -r: -I? --utc --universal --date: --reference: --iso-8601? --rfc-3339: --rfc-email /^(?:\+.*)?$/
cal ncal: -13hjmy -A: -B:
dmesg: -THkuxrtePSJd -L? -l: -f: -w~ -W~ --follow~ --follow-new~ --level: --facility: --ctime --human --nopager --color?
  --decode --since: --until: --kernel --userspace --raw --notime --json --reltime --time-format: --show-delta
journalctl: -aemqrxkl -n? -b? -u: -p: -o: -S: -U: -t: -g: -D: -i: -N -F: -# -f~ --follow~ --unit: --user-unit: --user --all
  --system --since: --until: --lines? --boot? --list-boots --no-pager --output: --output-fields: --priority: --grep: --full
  --case-sensitive? --reverse --dmesg --identifier: --facility: --utc --no-hostname --no-full --quiet --catalog --merge
  --disk-usage --fields --field: --header --verify --pager-end --cursor: --after-cursor: --show-cursor
lsof: /any -abhlnNoOPRtUVXw -i? -p: -u: -c: -d: -g? -F? -s? -T? -L? /^(?!(?:.* )?\+[^DdL]).*$/
fuser: /any -aluvm46 -n: --all --verbose --mount --user --namespace: --list-signals
getent: /^(?!g?shadow\b)\w.*$/
ulimit: -aSHcdefilmnpqrstuvx #0
umask: -Sp #0
mount: -lv -t: --show-labels #0
swapon: !-s !--show? --noheadings --raw --bytes #0
blkid: /any -ikLpl -o: -s: -t: -U: -c=/dev/null
fdisk sfdisk: /any !-l -x -o: --bytes --units?
parted: /any !-l -s -m #0
hdparm: /any -IigC
smartctl: /any -aAHicxj -d: -n: -q: -T: -f: -v: --all --xall --health --info --attributes --capabilities --scan --scan-open
  --json? --device: --format: --nocheck: --quietmode: -l=error|selftest|xerror|xselftest|devstat|scttemp|scterc|ssd
  --log=error|selftest|xerror|xselftest|devstat|scttemp|scterc|ssd
nvme: /any -vH -n: -o: -e: --output-format: --human-readable --namespace-id: --verbose --log-entries:
nvme > list list-subsys id-ctrl id-ns list-ns list-ctrl smart-log error-log fw-log show-regs version effects-log:
sensors: -Aufj --fahrenheit --no-adapter
dmidecode: -q -t: -s: -H: -u --type: --string: --quiet --handle: --no-sysfs
lshw: single -short -businfo -json -xml -html -numeric -quiet -sanitize -C: -c: -class: -disable: -enable: #0
nvidia-smi: single -L -q -i: -d: --query-gpu? --format? --query-compute-apps? --list-gpus #0
upsc apcaccess pveversion: -lLvu --verbose
ipmitool: -I: -H: -U: -P: -L: -v
ipmitool > sensor sdr fru: /^(?:list|elist|print|info|type \w+|get .+)?$/
ipmitool > sel: /^(?:info|list(?: \d+)?|elist|(?:e?list )?last \d+)?$/
ipmitool > chassis power: /^(?:power )?status$/
ipmitool > mc bmc lan: /^(?:info|print(?: \d+)?)$/
modinfo: -0 -F: -k: -b: --field:
sysctl: -aneNb -r: --all --names --values --ignore --pattern: /^[\w./ -]*$/
crontab: !-l -u: #0
udevadm > info: /any -axr -q: -n: -p: --query: --name: --path: --attribute-walk --export
`;

const SERVICES = String.raw`
$systemd = -alq -t: -p: -n: -o: -P: --all --type: --state: --property: --no-pager --no-legend --plain --full --quiet --failed
  --lines: --output: --value --user --system --user-unit: --recursive --reverse --after --before --with-dependencies --json:
systemctl loginctl timedatectl localectl networkctl busctl machinectl resolvectl systemd-analyze: $systemd
systemctl loginctl timedatectl hostnamectl localectl networkctl busctl machinectl resolvectl systemd-analyze > .: #0
systemctl > status show cat is-active is-failed is-enabled is-system-running list-units list-unit-files list-timers list-sockets
  list-jobs list-dependencies list-machines get-default:
loginctl > list-sessions session-status show-session list-users user-status show-user list-seats seat-status:
timedatectl localectl hostnamectl > status show list-timezones timesync-status list-locales list-keymaps: #0
hostnamectl: --static --transient --pretty --json: -j --no-pager
resolvectl > status query service:
resolvectl > statistics: #0
resolvectl > dns domain default-route llmnr mdns dnssec dnsovertls nta: #0-1
networkctl machinectl busctl > list status lldp tree introspect:
systemd-analyze > time blame critical-chain security:
coredumpctl > list info: -r1 -n: -S: -U: -F: --since: --until: --no-pager
service: --status-all /^(?:[\w@.-]+ status)?$/
$ps = -aqls -n: -f: --all --quiet --last: --latest --size --filter: --format: --no-trunc --digests -H --human
$logs = -t -n: -f~ --follow?~ --tail: --since: --until: --details --timestamps --no-color --no-log-prefix
docker podman nerdctl: -v --version
docker podman nerdctl > ps images history: $ps
docker podman nerdctl > logs: $logs
docker podman nerdctl > stats: ^--no-stream -a --all --format: --no-trunc
docker podman nerdctl > inspect: !-f@inspect !--format@inspect -s --size
docker podman nerdctl > top: -aefux -o@columns
docker podman nerdctl > port diff version info: -f: --format:
docker podman nerdctl > events: ^--until: --since: -f: --filter: --format:
docker podman nerdctl > container > ls list ps: $ps
docker podman nerdctl > container > logs: $logs
docker podman nerdctl > container > inspect: !-f@inspect !--format@inspect -s --size
docker podman nerdctl > container > stats: ^--no-stream -a --all --format: --no-trunc
docker podman nerdctl > image network volume node service stack context plugin > ls list ps history: $ps
docker podman nerdctl > network volume > inspect: -f: --format:
docker podman nerdctl > system > df info: -v -f: --verbose --format:
docker podman nerdctl > compose: -p: -f: --file: --project-name: --project-directory: --profile: --ansi:
docker podman nerdctl > compose > ps images ls top version port: $ps --services --status: --orphans? --index: --protocol:
docker podman nerdctl > compose > logs: $logs
crictl > ps pods images stats info version: -aq -o:
crictl > logs: $logs
kubectl oc: -A -n: -o: -l: -L: --namespace: --all-namespaces --context: --cluster: --output: --selector: --no-headers
  --request-timeout: --show-labels --field-selector: --sort-by: --show-kind --chunk-size: --ignore-not-found
kubectl oc > get describe: -w~ --watch?~ --watch-only~ --show-events? #1- all:resource
kubectl oc > logs: $logs -c: -p --container: --previous --since-time: --all-containers? --prefix --limit-bytes:
kubectl oc > top > node nodes no pod pods po: --containers --sum
kubectl oc > version api-resources api-versions explain events: --client --short --api-group: --namespaced? --recursive --types: --for:
kubectl oc > cluster-info: #0
kubectl oc > config > view get-contexts current-context get-clusters get-users: --minify --flatten
kubectl oc > rollout > status: !--timeout: !--watch=false --revision:
kubectl oc > rollout > history: --revision:
kubectl oc > auth > can-i whoami: --list --quiet
helm: -n: -Aaq -o: --namespace: --all-namespaces --kube-context: --output: --all --max: --filter: --short
helm > list ls status history version: --revision: --show-resources --show-desc --deployed --failed --pending
helm > repo > list ls:
helm > get > notes metadata: --revision:
`;

const NETWORKS = String.raw`
$ip = single -4 -6 -0 -s -d -h -o -j -p -br -c -stats -details -oneline -json -pretty -brief -color -iec -r -n:
ip tc bridge: $ip
ip > address addr add ad a link l li neighbour neighbor neigh nei n rule ru maddress maddr m tunnel tun netns tuntap vrf token
  ntable addrlabel netconf: /^(?:(?:show|list|lst|ls|sh)(?: .*)?)?$/
ip > route rout rou ro r: /^(?:(?:show|list|lst|ls|sh|get)(?: .*)?)?$/
tc bridge > qdisc class filter link fdb mdb vlan: /^(?:(?:show|list|ls)(?: .*)?)?$/
ss: -tulnpaxsemoi460HOrbdwzZSM -f: -A: --tcp --udp --listening --numeric --processes --all --unix --summary --extended --memory
  --options --info --ipv4 --ipv6 --no-header --resolve --family: --query:
netstat: -tulnpaxsreigvWNMoFC46 --tcp --udp --listening --numeric --programs --all --route --statistics --interfaces --groups
  --verbose --wide --extend -c~ --continuous~
ifconfig iwconfig: -as #0-1
route: -neFCv46 --numeric --extend #0
arp: -aenv -i: -H: --all --numeric --verbose --device:
ethtool: -iSkgaclmTPdxn --show-eee #1-1
iw: /^(?:dev|phy|list|reg get|dev \w+ (?:info|link|station dump)|\w+ (?:info|link))$/
nmcli: -tp -f: -g: -m: -c: --terse --pretty --fields: --get-values: --mode:
  /^(?:(?:g|general|d|dev|device|c|con|connection)(?: (?:status|show)(?: .*)?)?|(?:d|dev|device) wifi list)?$/
ping ping6: ^-c: ^-w: ^--count: -46nqvDO -W: -i: -s: -I: -t:
fping: -46aeuAdDqs -c: -C: -t: -p: -r:
traceroute traceroute6 tracepath tracepath6: -46nbITUF -m: -q: -w: -p: -f: -N: -s: -i:
mtr: !-r !--report -nbw46zTu -c: -i: -m: -s: -P: --report-wide --no-dns
nc ncat netcat: !-z -v46un -w: -i:
dig: -46 -t: -x: -p: -q: -c:
host nslookup: single -t: -a -4 -6 -v -W: -type? -query? -timeout? -port? #1-2
whois: -H -h: -p:
iptables ip6tables: -LSnvx -t: --line-numbers --list --list-rules #0-2
nft: -anjsp --handle --numeric --json --stateless /^list(?: .*)?$/
ufw: /^(?:status(?: verbose| numbered)?|version)$/
firewall-cmd: --state --list-all --list-all-zones --list-ports --list-services --list-rich-rules --get-zones --get-active-zones
  --get-default-zone --get-services --zone: --version --permanent --query-port: --query-service: #0
curl: -sSfkvILi46Ng -m: -H@header -u: -A: -w@writeOut -o=/dev/null|- -X=GET|HEAD|OPTIONS --silent --show-error --fail --insecure
  --verbose --head --location --include --max-time: --connect-timeout: --header@header --user: --request=GET|HEAD|OPTIONS --retry:
  --compressed --http1.1 --http2 --ipv4 --ipv6 --cacert: --write-out@writeOut --output=/dev/null|- --url@url all:url
wget: !--spider -qSdv46 -T: -t: --quiet --server-response --timeout: --tries: --no-check-certificate --no-verbose #1- all:url
`;

const PACKAGES_AND_STORAGE = `
apt > list show search policy depends rdepends: -an --upgradable --installed --all-versions
apt-cache > show showpkg search policy depends rdepends madison pkgnames stats: -an --names-only
apt-mark > showhold showauto showmanual:
dpkg: !-l !-L !-s !-S !-V !--list !--listfiles !--status !--search !--get-selections !--print-architecture !--audit
dpkg-query: !-l !-W !--show !-L !-s !-S -f: --showformat:
rpm: !-q !-V -aicldsf --last --qf: --queryformat: --changelog --requires --provides --scripts
dnf yum > list info repolist search provides check-update: -qC --quiet --installed --available --updates --all
pacman: !-Q -qiletmnuskog
apk snap pip pip3 > list info show version policy services connections changes freeze check: -a --all --format: --outdated --files
zfs > list get version: -HprS -o: -s: -S: -t: -d:
zpool > status list iostat: -vxLPgHptDsTqlwry -o: /^(?!(?:.* )?[^A-Za-z ]).*$/
zpool > get history version: -HpiL -o:
mdadm: /any !-D !--detail !-E !--examine !-Q !--query -svbY --scan --export --verbose --brief
lvs vgs pvs lvdisplay vgdisplay pvdisplay: /any -aAvcCmP -o: -O: -S: --all --noheadings --nosuffix --units: --segments
  --options: --separator: --sort: --select: --reportformat: --unbuffered
tune2fs: /any !-l
dumpe2fs xfs_info: /any -h
btrfs > filesystem fi: /^(?:show|df|usage|du)(?: .*)?$/
btrfs > subvolume su device dev scrub balance ba: /^(?:list|show|get-default|stats|usage|status)(?: .*)?$/
exportfs: -vs #0
showmount: -eadh --exports --all --directories --no-headers
qm pct > list status config pending listsnapshot showcmd df cpusets: --verbose --full --current
pvesm pvesh: single -storage: --storage: -content: --content: -output-format: --output-format: -noborder -type: --type:
pvesm > status list path:
pvesh > get ls usage:
pvecm ha-manager pveceph > status nodes config:
ceph: -s -f: --format: /^(?:status|health(?: detail)?|df(?: detail)?|osd (?:tree|stat|df|status)|mon stat|pg stat|versions)?$/
virsh: -r -c: --connect: --readonly --all --inactive
virsh > list dominfo domstate domblklist domiflist domblkstat dommemstat nodeinfo version net-list pool-list vol-list pool-info
  net-info vcpuinfo domstats capabilities:
`;

const DATABASES_AND_GIT = String.raw`
psql: !-c@psql !--command@psql !-l -d@word -h@word -p: -U: -tAxqwXE -F: -R: --dbname@word --host@word --port: --username: --csv
  --tuples-only --no-align --expanded --quiet --no-psqlrc --no-password --field-separator: /^[\w-]*(?: [\w-]+)?$/
mysql mariadb: !-e@mysql !--execute@mysql -u: -h: -P: -D: -p? -NBstv -S: --user: --host: --port: --database: --password? --batch
  --table --silent --skip-column-names --protocol:
sqlite3: single -readonly -header -noheader -csv -json -line -column -list -table -box -batch -bail -separator: #2- rest:sqlite
pg_isready: -q -d: -h: -p: -t: -U:
mysqladmin: -u: -h: -P: -p? -S: --user: --host: /^(?:(?:ping|status|extended-status|processlist|variables|version)(?: |$))+$/
redis-cli: -23 -h: -p: -n: -s: -a: -u: --user: --pass: --raw --no-raw --csv --json --tls --no-auth-warning wraps:redis
git: -C: --no-pager --no-optional-locks --version
git > status: -sbuvz --short --branch --porcelain? --untracked-files? --ignored? --long --show-stash
$log = -pswMC -# -n: -S: -G: -U: --oneline --stat? --numstat --shortstat --name-only --name-status --graph --all --decorate?
  --since: --until: --after: --before: --author: --grep: --format: --pretty? --abbrev-commit --follow --merges --no-merges
  --patch --no-patch --reverse --date: --max-count: --cached --staged --color? --no-color --word-diff? --raw --unified:
  --first-parent --branches? --tags? --no-ext-diff --no-textconv
git > log show diff shortlog whatchanged: $log
git > reflog: $log /^(?:show(?: [^ ]+)?)?$/
git > rev-parse ls-files ls-tree describe rev-list cat-file name-rev merge-base count-objects for-each-ref blame: -acdehlmopqrstvz
  -L: --abbrev-ref --short? --show-toplevel --verify --tags --always --dirty? --count --others --cached --modified --sort:
  --exclude-standard --name-only --long --contains --is-inside-work-tree --all --format:
git > branch: -arv --all --remotes --list --show-current --verbose --no-color #0
git > tag: -n? --sort: #0
git > tag: !-l !--list -n? --sort:
git > remote: -v --verbose /^(?:get-url [\w-]+)?$/
git > stash worktree submodule: /^(?:list|status)$/
`;

/** `env`, `sudo`, `sh` and their kind are none of these: what they run counts as a write, whatever it is. */
const WRAPPERS = String.raw`
timeout: -v --verbose --foreground --preserve-status -s: --signal: -k: --kill-after: wraps:bounded /^(?=.*[1-9])\d*(?:\.\d*)?[smhd]?$/
nice: -# -n: --adjustment: wraps:command
ionice: -t -c: -n: --class: --classdata: --ignore wraps:command
stdbuf: -i: -o: -e: --input: --output: --error: wraps:command
command: !-v !-V
command: -p wraps:command
xargs: -0rtx -n: -L: -P: -s: -d: -I={}|%|@ --null --no-run-if-empty --max-args: --max-procs: --delimiter: wraps:appended
ssh: -46qTnx -p: -l: -o=BatchMode=yes|ConnectTimeout=5|ConnectTimeout=10 wraps:shell /^[\w.-]+(?:@[\w.-]+)?$/
`;

/** By the name of the program. */
export const PROGRAMS: ReadonlyMap<string, ProgramUsages> = readUsages(
  [FILES, MACHINE, SERVICES, NETWORKS, PACKAGES_AND_STORAGE, DATABASES_AND_GIT, WRAPPERS].join("\n"),
);
