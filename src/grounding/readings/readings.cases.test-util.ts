/** Answers about a site's systems, what they are to be found, and the readings that they are held against. */
import type { AnswerVerdict, Readings } from "./readings.js";

const tool = (name: string, result: unknown, ageMs = 0, args?: unknown): Readings["tools"][number] => ({
  tool: name,
  result,
  ageMs,
  ...(args === undefined ? {} : { args }),
});

const service = (fields: object, ageMs = 0) => ({ tools: [tool("linux_service_status", fields, ageMs)] });
const containers = (...all: readonly (readonly [name: string, status: string])[]) => ({
  tools: [tool("linux_containers", { all: all.map(([name, status]) => ({ name, status })) })],
});
const disks = (...result: readonly object[]) => ({
  tools: [tool("linux_disk_usage", { filesystems: result })],
});

const UP = service({ service: "nginx", active: true, running: true, enabled: true, uptime: "2h 15m" });
const DOWN = service({ service: "nginx", active: false, running: false, enabled: false });

const STATE = {
  hostname: "corellia",
  domain: "yard.example",
  os_name: "ubuntu",
  os_version: "24.04",
  os_pretty_name: "Ubuntu 24.04 LTS",
  kernel_version: "6.8.0-45-generic",
  arch: "x86_64",
  cpu_model: "AMD Ryzen 9 5900X",
  cpu_cores: 12,
  cpu_threads: 24,
  memory_total_gb: 16.0,
  docker_installed: false,
  network_interfaces: [
    { name: "eth0", ip: "192.168.1.100/24" },
    { name: "docker0", ip: "172.17.0.1" },
  ],
  gateway: "192.168.1.1",
  dns_servers: ["192.168.1.53"],
  available_services: ["nginx.service", "redis.service"],
  installed_packages: { nginx: "1.24.0", curl: "8.5.0" },
};
const state = { state: STATE };

const THREE = containers(["web", "running"], ["db", "Up 3 hours"], ["mail", "Exited (0) 5 minutes ago"]);
const PROCESSES = {
  tools: [
    tool("linux_processes", {
      processes: [
        { name: "nginx", pid: 812 },
        { name: "bash", pid: 77 },
      ],
    }),
  ],
};
const MEMORY = {
  tools: [
    tool("linux_system_info", {
      memory: { total_gb: 16, used_gb: 4, percent: 25 },
      cpu_percent: 12.4,
      load_1m: 0.52,
      uptime: "3 days, 4:05",
      uptime_seconds: 273900,
    }),
  ],
};
const DISKS = disks(
  { mount: "/", size_gb: 100, used_percent: 9.2 },
  { mount: "/data", size_gb: 2000, used_percent: 92 },
);
const PORTS = {
  tools: [
    tool("linux_network_info", {
      listening: [
        { port: 80, process: "nginx" },
        { port: 22, process: "sshd" },
      ],
    }),
  ],
};

type Case = readonly [answer: string, expected: AnswerVerdict, readings: Partial<Readings>];

export const CASES: readonly Case[] = [
  // Running, stopped, active.
  ["nginx is running.", "supported", UP],
  ["Yes, nginx is up and running.", "supported", UP],
  ["nginx is currently active.", "supported", UP],
  ["nginx is down.", "contradicted", UP],
  ["nginx isn't running.", "contradicted", UP],
  ["nginx is no longer running.", "contradicted", UP],
  ["nginx is not stopped.", "supported", UP],
  ["nginx has crashed.", "contradicted", UP],
  ["nginx runs.", "supported", UP],
  ["The service nginx is running normally.", "supported", UP],
  ["nginx is running.", "contradicted", DOWN],
  ["nginx is not running.", "supported", DOWN],
  ["nginx is inactive.", "supported", DOWN],
  ["nginx stopped.", "supported", DOWN],
  ["nginx.service is stopped.", "supported", DOWN],
  ["nginx has been running for 2 hours.", "supported", UP],
  ["nginx has been running for 2 hours and 15 minutes.", "supported", UP],
  ["nginx has been running for 5 hours.", "contradicted", UP],
  ["nginx is running and is enabled.", "supported", UP],
  ["nginx is running but not enabled.", "contradicted", UP],
  ["nginx is stopped and disabled.", "supported", DOWN],
  ["nginx is enabled at boot.", "contradicted", DOWN],
  ["nginx is active.", "supported", service({ name: "nginx", status: "active (running)" })],
  ["nginx is running.", "supported", service({ name: "nginx", status: "active (running)" })],
  ["nginx is running.", "contradicted", service({ name: "nginx", status: "inactive (dead)" })],
  ["nginx has failed.", "supported", service({ name: "nginx", ActiveState: "failed" })],
  ["nginx is running.", "contradicted", service({ name: "nginx", ActiveState: "failed" })],
  ["nginx is running.", "contradicted", service({ service: "nginx", active: true, running: false })],
  ["nginx is active.", "supported", service({ service: "nginx", active: true, running: false })],
  [
    "nginx is running.",
    "supported",
    service({ ok: true, data: { services: [{ unit: "nginx.service", state: { running: true } }] } }),
  ],
  [
    "nginx is running.",
    "supported",
    { tools: [tool("linux_service_status", { running: true }, 0, { service: "nginx" })] },
  ],
  [
    "nginx is running.",
    "supported",
    { tools: [tool("linux_services", { services: { nginx: "running", redis: "stopped" } })] },
  ],
  [
    "redis is running.",
    "contradicted",
    { tools: [tool("linux_services", { services: { nginx: "running", redis: "stopped" } })] },
  ],
  [
    "nginx is running.",
    "supported",
    { tools: [tool("linux_service_status", '{"service":"nginx","running":true}')] },
  ],
  [
    "nginx and redis are running.",
    "contradicted",
    { tools: [tool("linux_services", { services: { nginx: "running", redis: "stopped" } })] },
  ],
  [
    "nginx is running and redis is stopped.",
    "supported",
    { tools: [tool("linux_services", { services: { nginx: "running", redis: "stopped" } })] },
  ],
  [
    "nginx is running, redis is running.",
    "contradicted",
    { tools: [tool("linux_services", { services: { nginx: "running", redis: "stopped" } })] },
  ],
  [
    "Neither nginx nor redis is running.",
    "contradicted",
    { tools: [tool("linux_services", { services: { nginx: "running", redis: "stopped" } })] },
  ],
  // Who is meant.
  ["The redis service is running.", "unsupported", UP],
  ["postgres is running.", "unsupported", UP],
  ["The nginx container is running.", "unsupported", UP],
  [
    "The nginx container is running.",
    "contradicted",
    containers(["nginx-proxy", "running"], ["nginx", "exited"]),
  ],
  [
    "The nginx-proxy container is running.",
    "supported",
    containers(["nginx-proxy", "running"], ["nginx", "exited"]),
  ],
  [
    "The nginx proxy container is running.",
    "supported",
    containers(["nginx-proxy", "running"], ["nginx", "exited"]),
  ],
  ["The nginx container is running.", "contradicted", containers(["nginx-proxy", "running"])],
  ["The proxy container is stopped.", "unsupported", containers(["nginx-proxy", "exited"])],
  ["It is running.", "supported", { ...UP, user: "Is nginx running?" }],
  ["It is running.", "unsupported", { ...UP, user: "Is redis running?" }],
  ["Yes.", "supported", { ...UP, user: "Is nginx running?" }],
  ["Yes, it is.", "contradicted", { ...DOWN, user: "Is nginx running?" }],
  ["No.", "supported", { ...DOWN, user: "Is nginx running?" }],
  ["Nginx is installed. It is running.", "supported", { ...UP, state: STATE }],
  // How old.
  ["nginx is running.", "unsupported", service({ service: "nginx", running: true }, 300_001)],
  ["nginx is running.", "supported", service({ service: "nginx", running: true }, 300_000)],
  ["nginx is running.", "unsupported", service({ service: "nginx", running: false }, 3_600_000)],
  [
    "nginx is running.",
    "supported",
    {
      tools: [
        tool("a", { service: "nginx", running: false }, 120_000),
        tool("a", { service: "nginx", running: true }, 1_000),
      ],
    },
  ],
  [
    "nginx is running.",
    "contradicted",
    {
      tools: [
        tool("a", { service: "nginx", running: false }, 1_000),
        tool("a", { service: "nginx", running: true }, 120_000),
      ],
    },
  ],
  [
    "nginx is running.",
    "conflicting",
    {
      tools: [
        tool("a", { service: "nginx", running: false }),
        tool("b", { service: "nginx", running: true }),
      ],
    },
  ],
  [
    "nginx is running.",
    "supported",
    {
      tools: [
        tool("a", { service: "nginx", running: false }, 900_000),
        tool("b", { service: "nginx", running: true }),
      ],
    },
  ],
  ["nginx is running.", "unsupported", { state: { running_services: ["nginx"] } }],
  [
    "The hostname is corellia.",
    "supported",
    { tools: [tool("linux_system_info", { hostname: "corellia" }, 3_600_000)] },
  ],
  ["nginx will be running.", "unsupported", UP],
  // What the machine is.
  ["The hostname is corellia.", "supported", state],
  ["Your machine is called corellia.", "supported", state],
  ["The host name is tatooine.", "contradicted", state],
  ["The hostname is corel.", "contradicted", state],
  ["The hostname is not tatooine.", "supported", state],
  ["The hostname is corellia.", "supported", { state: { hostname: "corellia.yard.example" } }],
  ["The hostname is corellia.", "contradicted", { state: { hostname: "corellia-2" } }],
  ["The system is running Ubuntu.", "supported", state],
  ["This machine runs Ubuntu 24.04.", "supported", state],
  ["The operating system is Ubuntu 22.04.", "contradicted", state],
  ["The system is running Debian.", "contradicted", state],
  ["The kernel version is 6.8.0.", "supported", state],
  ["The kernel is 6.8.", "supported", state],
  ["The kernel is 5.15.", "contradicted", state],
  ["The architecture is arm64.", "contradicted", state],
  ["The machine has 12 CPU cores.", "supported", state],
  ["The machine has 8 cores.", "contradicted", state],
  ["The machine has 24 threads.", "supported", state],
  ["The processor is an AMD Ryzen 9 5900X.", "supported", state],
  ["The processor is an Intel Xeon.", "contradicted", state],
  ["Docker is installed.", "contradicted", state],
  ["Docker is not installed.", "supported", state],
  ["Docker is running.", "unsupported", state],
  ["nginx is installed.", "supported", state],
  ["postgresql is installed.", "contradicted", state],
  ["nginx 1.24.0 is installed.", "supported", state],
  ["nginx version 1.18 is installed.", "contradicted", state],
  ["The nginx service is available.", "supported", state],
  ["There is an nginx service.", "supported", state],
  ["The hostname is corellia.", "unsupported", {}],
  // Figures and units.
  ["The machine has 16 GB of memory.", "supported", state],
  ["The machine has 16 GB of RAM.", "supported", state],
  ["You have 64 GB of memory.", "contradicted", state],
  ["The machine has 16 MB of memory.", "contradicted", state],
  ["The machine has 16384 MB of memory.", "supported", state],
  ["The machine has 16,384 MiB of memory.", "supported", state],
  ["The machine has 16 GiB of memory.", "supported", state],
  ["The machine has 16 TB of memory.", "contradicted", state],
  ["The machine has sixteen GB of memory.", "supported", state],
  ["The machine has at least 8 GB of memory.", "supported", state],
  ["The machine has more than 16 GB of memory.", "contradicted", state],
  ["The machine has about 16 GB of memory.", "supported", { state: { memory_total_gb: 15.4 } }],
  ["The machine has 16 GiB of memory.", "supported", { state: { memory_total_bytes: 17179869184 } }],
  ["The machine has 16 GiB of memory.", "contradicted", { state: { memory_total_bytes: 16000000000 } }],
  ["There is 16 GB of disk free.", "unsupported", state],
  ["4 GB of memory are in use.", "supported", MEMORY],
  // Nothing is calculated.
  ["12 GB of memory is free.", "unsupported", MEMORY],
  ["nginx may not be running.", "contradicted", UP],
  ["Memory usage is 25%.", "supported", MEMORY],
  ["Memory usage is 75 percent.", "contradicted", MEMORY],
  ["75 percent of memory is free.", "supported", MEMORY],
  ["CPU usage is 12%.", "supported", MEMORY],
  ["CPU usage is 12.4 percent.", "supported", MEMORY],
  ["The CPU is at 80 percent.", "contradicted", MEMORY],
  ["The load is 0.52.", "supported", MEMORY],
  ["The system has been up for 3 days.", "supported", MEMORY],
  ["The disk is 9.2 percent full.", "supported", DISKS],
  ["The disk is 92 percent full.", "contradicted", DISKS],
  ["/data is 92% full.", "supported", DISKS],
  ["/data is 9% full.", "contradicted", DISKS],
  ["The root disk is 9% full.", "supported", DISKS],
  ["/data has 8% free.", "supported", DISKS],
  ["/home is 92% full.", "unsupported", DISKS],
  ["/data has 2 TB in total.", "supported", DISKS],
  [
    "The disk is 9% full.",
    "unsupported",
    { tools: [tool("linux_disk_usage", { mount: "/", used_percent: 9.2 }, 600_000)] },
  ],
  // How many.
  ["There are 3 containers.", "supported", THREE],
  ["There are four containers.", "contradicted", THREE],
  ["2 containers are running.", "supported", THREE],
  ["Three containers are running.", "contradicted", THREE],
  ["One container is stopped.", "supported", THREE],
  ["All containers are running.", "contradicted", THREE],
  ["All containers are running.", "supported", containers(["web", "running"], ["db", "running"])],
  ["No containers are running.", "contradicted", THREE],
  ["No containers are running.", "supported", containers(["web", "exited"])],
  ["There are no containers.", "supported", { tools: [tool("linux_containers", { all: [] })] }],
  ["Only web is running.", "contradicted", THREE],
  [
    "There are 2 containers running.",
    "supported",
    { tools: [tool("linux_containers", { running: 2, total: 5 })] },
  ],
  ["There are 5 containers.", "supported", { tools: [tool("linux_containers", { running: 2, total: 5 })] }],
  [
    "There are 5 running containers.",
    "contradicted",
    { tools: [tool("linux_containers", { running: 2, total: 5 })] },
  ],
  ["The web and db containers are running.", "supported", THREE],
  ["The web, db and mail containers are running.", "contradicted", THREE],
  // Lists.
  ["The nginx process is running.", "supported", PROCESSES],
  ["The backup process is running.", "contradicted", PROCESSES],
  ["The backup process is not running.", "supported", PROCESSES],
  [
    "The backup process is running.",
    "unsupported",
    { tools: [tool("linux_processes", { top: [{ name: "bash" }] })] },
  ],
  [
    "The backup process is not running.",
    "unsupported",
    { tools: [tool("linux_processes", { top: [{ name: "bash" }] })] },
  ],
  [
    "The backup process is running.",
    "unsupported",
    { tools: [tool("linux_processes", { filter: "nginx", processes: [{ name: "nginx" }] })] },
  ],
  [
    "The backup process is running.",
    "unsupported",
    { tools: [tool("linux_processes", { truncated: true, processes: [{ name: "nginx" }] })] },
  ],
  ["The pid of nginx is 812.", "supported", PROCESSES],
  ["The pid of nginx is 813.", "contradicted", PROCESSES],
  // Addresses and ports.
  ["The IP address is 192.168.1.100.", "supported", state],
  ["The IP address of eth0 is 192.168.1.100.", "supported", state],
  ["The IP address of docker0 is 192.168.1.100.", "contradicted", state],
  ["The IP address is 192.168.1.10.", "contradicted", state],
  ["The gateway is 192.168.1.1.", "supported", state],
  ["The gateway is 192.168.1.100.", "contradicted", state],
  ["The DNS server is 192.168.1.53.", "supported", state],
  ["nginx is listening on port 80.", "supported", PORTS],
  ["nginx is listening on port 8080.", "contradicted", PORTS],
  ["Port 22 is open.", "supported", PORTS],
  ["Port 443 is open.", "contradicted", PORTS],
  ["Port 443 is not open.", "supported", PORTS],
  ["Port 22 is closed.", "contradicted", PORTS],
  [
    "The web container listens on port 8080.",
    "supported",
    {
      tools: [
        tool("linux_containers", {
          all: [{ name: "web", status: "running", ports: "0.0.0.0:8080->80/tcp" }],
        }),
      ],
    },
  ],
  ["The IP address is not 192.168.1.100.", "contradicted", state],
  ["Port 22 is not in use.", "contradicted", PORTS],
  ["Port 443 is not in use.", "supported", PORTS],
  [
    "Port 443 is not open.",
    "unsupported",
    { tools: [tool("linux_containers", { all: [{ name: "web", ports: "0.0.0.0:8080->80/tcp" }] })] },
  ],
  // What a list says by its name, and what is not there.
  ["nginx is available.", "contradicted", { tools: [tool("svc", { unavailable_services: ["nginx"] })] }],
  ["nginx is not running.", "supported", service({ service: "nginx", exists: false })],
  ["nginx is running.", "contradicted", service({ service: "nginx", exists: false })],
  ["The web container is running.", "conflicting", containers(["web", "Up 2 hours (Paused)"])],
  ["The docker container web is running.", "supported", containers(["web", "running"])],
  ["Redis is running.", "supported", { tools: [tool("metrics", { redis_up: 1 })] }],
  ["Docker is installed.", "supported", { tools: [tool("sys", { docker_installed: "yes" })] }],
  // What the user said.
  ["You said nginx is down.", "supported", { user: "nginx is down. What now?" }],
  ["You mentioned that nginx is down.", "unsupported", { user: "Is nginx down?" }],
  ["You said nginx is not down.", "unsupported", { user: "nginx is down." }],
  ["You asked whether nginx is down.", "supported", { user: "Is nginx down?" }],
  ["As you said, nginx is down.", "contradicted", { ...UP, user: "nginx is down." }],
  ["You have nginx running.", "contradicted", { ...DOWN, user: "nginx?" }],
  ["Your nginx service is stopped.", "contradicted", { ...UP, user: "my nginx service is stopped" }],
  // Inferences, sources, and what claims nothing.
  ["I believe nginx is running.", "unsupported", {}],
  ["I believe nginx is running.", "supported", UP],
  ["nginx is probably running.", "contradicted", DOWN],
  ["nginx is running because the update fixed it.", "unsupported", UP],
  ["According to linux_service_status, nginx is running.", "supported", UP],
  ["The linux_containers tool shows nginx is running.", "unsupported", UP],
  ["According to system state, the hostname is corellia.", "supported", state],
  ["nginx is running on port 8443.", "unsupported", UP],
  ["I don't know whether nginx is running.", "no_claim", {}],
  ["I would need to check linux_service_status to confirm.", "no_claim", {}],
  ["Run systemctl status nginx.", "no_claim", {}],
  ["You can restart nginx with systemctl restart nginx.", "no_claim", {}],
  ["If nginx is running, the page loads.", "no_claim", {}],
  ["Let me check nginx.", "no_claim", {}],
  ["Do you want me to restart nginx?", "no_claim", {}],
  ["Hello!", "no_claim", {}],
  ["", "no_claim", {}],
  ["I restarted nginx.", "unsupported", UP],
  // A site that is no computer.
  [
    "The cold room is at -18 °C.",
    "supported",
    { tools: [tool("site_temperature", { zone: "cold room", temperature_c: -18.2 })] },
  ],
  [
    "The cold room is at 18 °C.",
    "contradicted",
    { tools: [tool("site_temperature", { zone: "cold room", temperature_c: -18.2 })] },
  ],
  [
    "The cold room is at 0 °F.",
    "supported",
    { tools: [tool("site_temperature", { zone: "cold room", temperature_c: -18 })] },
  ],
  [
    "Door 3 is open.",
    "supported",
    {
      tools: [
        tool("site_doors", {
          doors: [
            { name: "Door 3", state: "open" },
            { name: "Door 4", state: "closed" },
          ],
        }),
      ],
    },
  ],
  [
    "Door 4 is open.",
    "contradicted",
    {
      tools: [
        tool("site_doors", {
          doors: [
            { name: "Door 3", state: "open" },
            { name: "Door 4", state: "closed" },
          ],
        }),
      ],
    },
  ],
  ["Pump 2 is off.", "contradicted", { tools: [tool("site_pumps", { pump: "Pump 2", state: "on" })] }],
];
