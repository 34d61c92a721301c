/** What a block of source text deals with, by the names that it uses: a table, one row a tag. */

const TAGS: readonly (readonly [tag: string, pattern: RegExp])[] = [
  [
    "uses_auth",
    /\b(?:o?auth2?|authenticate|authorize|authorization|login|logout|jwt|bearer|session_?id|password|credentials?|saml|openid|ldap|rbac|permissions?)\b|(?:check|verify)_?(?:token|password|user)|@(?:PreAuthorize|Secured|login_required)/i,
  ],
  [
    "uses_concurrency",
    /\b(?:async|await|goroutine|mutex|semaphore|synchronized|threading|Thread|asyncio|Promise\.all|WaitGroup|CompletableFuture|tokio|rayon|std::thread|pthread_\w+|multiprocessing|ThreadPool\w*)\b|\bgo\s+(?:func\b|\w+\()/,
  ],
  [
    "uses_crypto",
    /\b(?:crypto|hashlib|sha-?(?:1|256|512)|md5|hmac|aes|rsa|bcrypt|argon2|scrypt|encrypt|decrypt|cipher|tls|ssl|x509|openssl|signature|MessageDigest)\b/i,
  ],
  [
    "uses_db",
    /\bselect\b[\s\S]{1,400}?\bfrom\b|\binsert\s+into\b|\bupdate\s+\S+\s+set\b|\bdelete\s+from\b|\b(?:create|alter|drop)\s+(?:or\s+replace\s+)?(?:table|view|index)\b|\b(?:sqlite3?|psycopg2?|mysql|postgres(?:ql)?|mongodb|mongoose|redis|cassandra|jdbc|DriverManager|PreparedStatement|executeQuery|knex|pymongo|libsql|PDO)\b|database\/sql/i,
  ],
  [
    "uses_env",
    /\bprocess\.env\b|\bos\.(?:environ|getenv)\b|\bgetenv\(|\bos\.(?:Getenv|LookupEnv)\b|\benv::var|\bSystem\.getenv\b|\$env:|\bENV\[|\$\{[A-Z_][A-Z0-9_]*/,
  ],
  [
    "uses_files",
    /\b(?:readFile|writeFile|createReadStream|fopen|open\(|FileReader|FileWriter|FileInputStream|File\.(?:open|read|write)|ioutil|os\.(?:Open|Create|ReadFile|WriteFile|path)|pathlib|shutil|std::fs|Path\.of|ifstream|ofstream|Get-Content|Set-Content|Out-File)|\b(?:node:)?fs["'/.]/,
  ],
  [
    "uses_http",
    /https?:\/\/|\b(?:fetch|curl|wget|axios|XMLHttpRequest|HttpClient|HttpURLConnection|RestTemplate|WebClient|OkHttp\w*|reqwest|urllib3?|httpx|aiohttp|express|fastapi|flask|registerEndpoint|Invoke-RestMethod|Invoke-WebRequest)\b|\brequests\.(?:get|post|put|patch|delete|request|Session)\b|\bhttp\.(?:get|post|request|createServer|Get|Post|Client|NewRequest|Handle\w*|ListenAndServe)\b|@(?:Get|Post|Put|Delete|Patch|Request)Mapping|\b(?:app|router)\.(?:get|post|put|patch|delete|route)\(|node:https?|net\/http/i,
  ],
  [
    "uses_logging",
    /\b(?:console\.(?:log|warn|error|info|debug)|logging\.|logger?\.(?:info|warn(?:ing)?|error|debug|trace)|log\.(?:Print\w*|Fatal\w*)|slf4j|log4j|println!|eprintln!)/i,
  ],
  [
    "uses_network",
    /\b(?:sockets?|createServer|createConnection|net\.(?:Dial|Listen|connect|Socket)|TcpStream|TcpListener|UdpSocket|ServerSocket|websockets?|grpc|mqtt|amqp|kafka|listen_address|bind_address|hostname|ports?:|EXPOSE\s+\d+)|\b(?:tcp|udp):?\/\/|node:net/i,
  ],
  [
    "uses_orm",
    /\b(?:sqlalchemy|hibernate|EntityManager|JpaRepository|sequelize|typeorm|prisma|ActiveRecord|django\.db|models\.Model|DbContext|gorm|Eloquent|peewee|diesel|ormAccess\w*|mongoose\.Schema)\b|@(?:Entity|Table|Column|ManyToOne|OneToMany)\b/,
  ],
  [
    "uses_process",
    /\b(?:child_process|subprocess|execSync|spawnSync|os\.system|ProcessBuilder|Runtime\.getRuntime|os\/exec|exec\.Command|std::process|Start-Process|shell_exec|popen)\b/,
  ],
];

/** In alphabetical order. */
export function tagsOf(source: string): string[] {
  return TAGS.filter(([, pattern]) => pattern.test(source)).map(([tag]) => tag);
}
