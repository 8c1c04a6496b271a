"""What secrets look like where people leave them: the table that redaction is held against.

Each secret is put together here from a prefix and a body drawn from the shape's name, so that this file holds none.
"""

from __future__ import annotations

import base64
import random
import string
from dataclasses import dataclass

_ALNUM = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"
_UPPER = string.ascii_uppercase + string.digits
_URL64 = _ALNUM + "-_"


@dataclass(frozen=True, slots=True)
class Shape:
    """A secret in a file: `hidden` must be gone from the redacted text, `kept` must still be there."""

    name: str
    path: str
    text: str
    hidden: tuple[str, ...]
    kept: tuple[str, ...] = ()


def drawn(seed: str, length: int, alphabet: str = _ALNUM) -> str:
    """Characters as a generator of keys would draw them; always the same for one seed."""
    draw = random.Random(seed)  # noqa: S311 - made up, no secret
    return "".join(draw.choice(alphabet) for _ in range(length))


def _in(name: str, path: str, text: str, secret: str, *kept: str) -> Shape:
    return Shape(name, path, text.replace("§", secret), (secret,), kept)


def _tokens() -> list[Shape]:
    """By their prefix, in prose and in code, where no key announces them."""
    tokens = {
        "github personal": "gh" + "p_" + drawn("ghp", 36),
        "github oauth": "gh" + "o_" + drawn("gho", 36),
        "github app": "gh" + "s_" + drawn("ghs", 36),
        "github refresh": "gh" + "r_" + drawn("ghr", 36),
        "github fine-grained": "github" + "_pat_" + drawn("pat", 22) + "_" + drawn("pat2", 59),
        "gitlab personal": "gl" + "pat-" + drawn("glpat", 20, _URL64[:-2]),
        "gitlab runner": "glr" + "t-" + drawn("glrt", 20),
        "slack bot": "xo" + "xb-" + drawn("a", 12, string.digits) + "-" + drawn("b", 12, string.digits) + "-" + drawn("xoxb", 24),
        "slack user": "xo" + "xp-" + "-".join(drawn(s, 12, string.digits) for s in "abc") + "-" + drawn("xoxp", 32, _HEX),
        "slack app": "xa" + "pp-1-A" + drawn("xapp", 10, _UPPER) + "-" + drawn("d", 13, string.digits) + "-" + drawn("xapp2", 64, _HEX),
        "slack webhook": "https://hooks.slack" + ".com/services/T" + drawn("T", 8, _UPPER) + "/B" + drawn("B", 10, _UPPER) + "/" + drawn("hook", 24),
        "zapier hook": "https://hooks.zapier" + ".com/hooks/catch/1234567/" + drawn("zapier", 8) + "/",
        "telegram address": "https://api.telegram" + ".org/bot1234567890:AA" + drawn("bot", 33) + "/sendMessage",
        "argon2 hash": "$argon2id" + "$v=19$m=65536,t=3,p=4$" + drawn("salt", 22) + "$" + drawn("argon", 43),
        "django hash": "pbkdf2" + "_sha256$600000$" + drawn("dsalt", 22) + "$" + drawn("django", 43) + "=",
        "werkzeug hash": "scrypt" + ":32768:8:1$" + drawn("wsalt", 16) + "$" + drawn("scrypt", 128, _HEX),
        "postgres hash": "SCRAM-SHA" + "-256$4096:" + drawn("ssalt", 22) + "==$" + drawn("stored", 43) + "=:" + drawn("server", 43) + "=",
        "ldap hash": "{SS" + "HA}" + drawn("ssha", 32, _ALNUM + "+/"),
        "phpass hash": "$P" + "$B" + drawn("phpass", 30),
        "stripe live": "sk" + "_live_" + drawn("stripe", 24),
        "stripe restricted": "rk" + "_live_" + drawn("rk", 24),
        "stripe test": "sk" + "_test_" + drawn("sktest", 24),
        "stripe webhook": "wh" + "sec_" + drawn("whsec", 32),
        "aws access key": "AK" + "IA" + drawn("akia", 16, string.ascii_uppercase + "234567"),
        "aws session key": "AS" + "IA" + drawn("asia", 16, string.ascii_uppercase + "234567"),
        "jwt": ".".join(_b64url(one) for one in ('{"alg":"HS256","typ":"JWT"}', '{"sub":"1234567890","name":"Ann","iat":1516239022}')) + "." + drawn("jwt", 43, _URL64[:-2]),
        "google api key": "AI" + "za" + drawn("aiza", 35, _ALNUM),
        "google oauth secret": "GOC" + "SPX-" + drawn("gocspx", 28),
        "google access token": "ya" + "29." + drawn("ya29", 120, _URL64[:-2]),
        "npm": "np" + "m_" + drawn("npm", 36),
        "pypi": "py" + "pi-AgEIcHlwaS5vcmc" + drawn("pypi", 80, _URL64[:-2]),
        "docker hub": "dckr" + "_pat_" + drawn("dckr", 27),
        "sendgrid": "SG" + "." + drawn("sg", 22) + "." + drawn("sg2", 43),
        "hugging face": "h" + "f_" + drawn("hf", 34, string.ascii_letters),
        "anthropic": "sk-" + "ant-api03-" + drawn("ant", 93, _URL64[:-2]) + "AA",
        "openai project": "sk-" + "proj-" + drawn("oa", 74) + "T3Blbk" + "FJ" + drawn("oa2", 74),
        "shopify": "shp" + "at_" + drawn("shopify", 32, _HEX),
        "square": "EA" + "AA" + drawn("square", 60),
        "digitalocean": "dop" + "_v1_" + drawn("dop", 64, _HEX),
        "vault": "hv" + "s." + drawn("vault", 95, _URL64[:-2]),
        "grafana": "gl" + "sa_" + drawn("glsa", 32) + "_" + drawn("glsa2", 8, _HEX),
        "linear": "lin" + "_api_" + drawn("linear", 40),
        "postman": "PM" + "AK-" + drawn("pmak", 24, _HEX) + "-" + drawn("pmak2", 34, _HEX),
        "databricks": "da" + "pi" + drawn("dapi", 32, _HEX),
        "doppler": "dp" + ".pt." + drawn("doppler", 43),
        "planetscale": "pscale" + "_tkn_" + drawn("pscale", 43),
        "new relic": "NR" + "AK-" + drawn("nrak", 27, _UPPER),
        "pulumi": "pu" + "l-" + drawn("pul", 40, _HEX),
        "terraform cloud": drawn("tfc", 14) + ".atlas" + "v1." + drawn("tfc2", 67),
        "atlassian": "ATA" + "TT3xFfGF0" + drawn("att", 180, _URL64[:-2]) + "=" + drawn("att2", 8, "0123456789ABCDEF"),
        "telegram bot": drawn("tg", 10, string.digits[1:]) + ":A" + "A" + drawn("tg2", 33),
        "discord webhook": "https://discord" + ".com/api/webhooks/" + drawn("dc", 18, string.digits[1:]) + "/" + drawn("dc2", 68),
        "age": "AGE-SECRET" + "-KEY-1" + drawn("age", 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
        "mailchimp": drawn("mc", 32, _HEX) + "-us" + "12",
        "twilio": "S" + "K" + drawn("twilio", 32, _HEX),
        "azure client secret": drawn("az", 3) + "8" + "Q~" + drawn("az2", 34),
        "sentry": "sntr" + "yu_" + drawn("sentry", 64, _HEX),
        "bcrypt": "$2" + "b$12$" + drawn("bcrypt", 53, _ALNUM + "./"),
    }  # fmt: skip
    places = (
        ("notes.md", "Try it with §, which works until May.\n", "which works until May"),
        (
            "client/call.py",
            'def call():\n    return connect("orders", "§")\n',
            "def call():",
        ),
    )
    return [
        _in(name, *places[number % 2][:2], secret, places[number % 2][2])
        for number, (name, secret) in enumerate(tokens.items())
    ]


def _b64url(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


_BODY = [drawn(f"pem {n}", 64, _ALNUM + "+/") for n in range(4)]


def _key(kind: str, *head: str, eol: str = "\n", before: str = "") -> str:
    mark = f"{kind} PRIVATE" + " KEY"
    lines = [f"-----BEGIN {mark}-----", *head, *_BODY, f"-----END {mark}-----"]
    return eol.join(before + line for line in lines)


def _keys() -> list[Shape]:
    body = tuple(_BODY)
    putty = "\n".join(["PuTTY-User-Key-File-3: ssh-ed25519", "Encryption: none", "Comment: deploy", "Public-Lines: 2", "AAAAC3Nz", "AAAA",
                       "Private-Lines: 4", *_BODY, "Private-MAC: " + drawn("mac", 64, _HEX)])  # fmt: skip
    return [
        Shape("rsa key in a guide", "CLAUDE.md", f"# Deploying\n\n{_key('RSA')}\n\nThen restart.\n", body, ("# Deploying", "Then restart.")),
        Shape("openssh key in a guide", "docs/access.md", f"Use\n\n{_key('OPENSSH')}\n\nto log in.\n", body, ("to log in.",)),
        Shape("key in yaml", "values.yaml", f"replicas: 2\ntls:\n  key: |\n{_key('EC', before='    ')}\nport: 80\n", body, ("replicas: 2", "port: 80")),
        Shape("key in json", "sa-prod.json", f'{{"client_email": "a@b.example", "private_key": "{_key("RSA", eol=chr(92) + "n")}", "type": "x"}}\n', body, ("client_email", '"type": "x"')),
        Shape("key in code", "tests/jwt_test.go", f"package a\nconst key = `{_key('RSA')}`\nfunc use() {{}}\n", body, ("func use()",)),
        Shape("encrypted key", "NOTES.txt", f"the key:\n{_key('RSA', 'Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,3F17', '')}\nend\n", body, ("the key:", "end")),
        Shape("pgp key", "release.asc.md", "sign with\n-----BEGIN PGP PRIVATE" + " KEY BLOCK-----\n\n" + "\n".join(_BODY) + "\n-----END PGP PRIVATE" + " KEY BLOCK-----\nbye\n", body, ("sign with", "bye")),
        Shape("key cut off", "log.txt", f"dump\n-----BEGIN PRIVATE" f" KEY-----\n{_BODY[0]}\n{_BODY[1]}\n\nafter\n", body[:2], ("dump", "after")),
        Shape("putty key", "deploy-key.txt", f"{putty}\n", body, ("Comment: deploy",)),
    ]  # fmt: skip


def _urls() -> list[Shape]:
    rows = [
        ("postgres url in code", "app/db.py", 'ENGINE = create("postgres://app:§@db:5432/shop")\n', "Vk3!mmQz9", "postgres://app:", "@db:5432/shop"),
        ("amqp url in compose", "docker-compose.yml", "services:\n  a:\n    environment:\n      BROKER: amqp://shop:§@rabbit:5672/\n", "h7Kq2wPzz", "amqp://shop:", "@rabbit:5672/"),
        ("redis url without user", "config/app.toml", 'cache = "redis://:§@cache:6379/0"\n', "q8ZtPw2Lr", "@cache:6379/0"),
        ("mongodb cluster", "docs/run.md", "Run with `mongodb+srv://root:§@c0.example.net,c1.example.net/x`.\n", "Nb5vXs8dKe", "@c0.example.net"),
        ("token in a git remote", "docs/clone.md", "git clone https://ci:§@git.example.org/a/b.git\n", drawn("remote", 20), "@git.example.org/a/b.git"),
        ("pip extra index", "pip.conf", "[global]\nextra-index-url = https://build:§@pypi.example.org/simple\n", "Kd93jsPqlw", "[global]", "@pypi.example.org/simple"),
        ("pip extra index in requirements", "requirements.txt", "--extra-index-url https://build:§@pypi.example.org/simple\nhttpx\n", "Kd93jsPqlw", "httpx"),
        ("npm registry", "docs/npm.md", "registry=https://me:§@npm.example.org/\n", "hUnt3r2x9", "@npm.example.org/"),
        ("jdbc parameters", "src/main/resources/application.yml", "spring:\n  datasource:\n    url: jdbc:mysql://db/shop?user=app&password=§&ssl=true\n", "Pz8kLm2Q", "jdbc:mysql://db/shop", "ssl=true"),
        ("jdbc sql server", "conf/app.properties", "url=jdbc:sqlserver://db:1433;user=sa;password=§;encrypt=true\n", "Str0ngPass77", "encrypt=true"),
        ("token in a query", "client/fetch.js", 'fetch("https://api.example.com/v1/items?api_key=§&page=2")\n', drawn("query", 32, _HEX), "page=2"),
        ("azure sas", "docs/blob.md", "https://a.blob.core.windows.net/c/f?sv=2022-11-02&se=2030&sig=§\n", drawn("sas", 43, _ALNUM) + "%3D", "sv=2022-11-02"),
    ]  # fmt: skip
    return [_in(*row) for row in rows]


def _settings() -> list[Shape]:
    """By the key's name, in files of settings."""
    weak, strong = "Winter" + "2024!", drawn("strong", 24)
    rows = [
        ("compose mapping", "docker-compose.yml", "services:\n  db:\n    image: postgres:16\n    environment:\n      POSTGRES_PASSWORD: §\n", weak, "image: postgres:16", "POSTGRES_PASSWORD"),
        ("compose list", "compose.yaml", "services:\n  db:\n    environment:\n      - MYSQL_ROOT_PASSWORD=§\n      - TZ=UTC\n", weak, "TZ=UTC"),
        ("compose command", "compose.yaml", "services:\n  c:\n    command: redis-server --requirepass § --appendonly yes\n", weak, "--appendonly yes"),
        ("spring properties", "src/main/resources/application.properties", "spring.datasource.username=app\nspring.datasource.password=§\nserver.port=8080\n", weak, "server.port=8080"),
        ("spring yaml", "application-prod.yml", "spring:\n  datasource:\n    username: app\n    password: §\nserver:\n  port: 8080\n", weak, "username: app", "port: 8080"),
        ("spring jwt secret", "application.yml", "app:\n  jwt:\n    secret: §\n    expires: 3600\n", strong, "expires: 3600"),
        ("spring default value", "application.yml", "spring:\n  datasource:\n    password: ${DB_PASSWORD:§}\n", weak, "${DB_PASSWORD:"),
        ("kafka jaas", "kafka.properties", 'sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="app" password="§";\n', weak, "PlainLoginModule"),
        ("net connection string", "appsettings.json", '{"ConnectionStrings": {"Shop": "Server=db;Database=shop;User Id=sa;Password=§;Encrypt=True"}}\n', weak, "Server=db;Database=shop", "Encrypt=True"),
        ("net pwd", "web.config", '<add name="Shop" connectionString="Server=db;Uid=sa;Pwd=§;" />\n', weak, "Server=db;Uid=sa"),
        ("net api key", "appsettings.Production.json", '{"Mail": {"Host": "smtp", "ApiKey": "§"}}\n', strong, '"Host": "smtp"'),
        ("net app settings", "app.config", '<appSettings>\n  <add key="MailPassword" value="§" />\n  <add key="MailHost" value="smtp" />\n</appSettings>\n', weak, "MailPassword", 'value="smtp"'),
        ("azure storage", "appsettings.json", '{"Blob": "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=§;EndpointSuffix=core.windows.net"}\n', drawn("acc", 86, _ALNUM) + "==", "AccountName=shop", "EndpointSuffix"),
        ("service bus", "local.settings.json", '{"Bus": "Endpoint=sb://shop.example/;SharedAccessKeyName=Root;SharedAccessKey=§"}\n', drawn("bus", 43) + "=", "SharedAccessKeyName=Root"),
        ("nuget", "NuGet.config", '<packageSourceCredentials><feed><add key="ClearTextPassword" value="§" /></feed></packageSourceCredentials>\n', weak, "ClearTextPassword"),
        ("kubernetes env", "deploy.yaml", "kind: Deployment\nspec:\n  containers:\n  - name: api\n    env:\n    - name: DB_PASSWORD\n      value: §\n    - name: LEVEL\n      value: info\n", weak, "DB_PASSWORD", "value: info"),
        ("kubernetes env quoted", "deploy.yml", 'env:\n  - name: "API_TOKEN"\n    value: "§"\n', strong, "API_TOKEN"),
        ("ecs task definition", "task.json", '{"environment": [{"name": "LEVEL", "value": "info"}, {"name": "DB_PASSWORD", "value": "§"}]}\n', weak, '"value": "info"'),
        ("kubernetes config map", "cm.yaml", "kind: ConfigMap\ndata:\n  smtp_password: §\n  host: smtp\n", weak, "host: smtp"),
        ("kubeconfig", "cluster/config.yaml", "users:\n- name: ci\n  user:\n    client-key-data: §\n", drawn("ckd", 120), "name: ci"),
        ("helm values", "values.yaml", "auth:\n  enablePostgresUser: true\n  postgresPassword: §\n", weak, "enablePostgresUser: true"),
        ("tfvars", "prod.tfvars", 'region = "eu-west-1"\ndb_password = "§"\n', weak, 'region = "eu-west-1"'),
        ("terraform provider", "main.tf", 'provider "aws" {\n  access_key = "x"\n  secret_key = "§"\n  region = "eu"\n}\n', drawn("tf", 40, _ALNUM + "/+"), 'region = "eu"'),
        ("terraform default", "variables.tf", 'variable "db_password" {\n  type    = string\n  default = "§"\n}\n', weak, "type    = string"),
        ("maven settings", "settings.xml", "<server><id>nexus</id><username>ci</username><password>§</password></server>\n", weak, "<id>nexus</id>"),
        ("maven settings on lines", "settings.xml", "<server>\n  <id>nexus</id>\n  <passphrase>\n    §\n  </passphrase>\n</server>\n", weak, "<id>nexus</id>"),
        ("docker config", ".docker/config.json", '{\n  "auths": {"https://index.docker.io/v1/": {"auth": "§"}}\n}\n', base64.b64encode(b"ci:Winter" b"2024!").decode(), "index.docker.io"),
        ("docker config token", "config.json", '{"auths": {"r.example": {"identitytoken": "§"}}}\n', strong, "r.example"),
        ("dockerfile env", "Dockerfile", "FROM a\nENV DB_PASSWORD=§\nRUN make\n", weak, "RUN make"),
        ("dockerfile env with a space", "Dockerfile", "FROM a\nENV DB_PASSWORD §\nRUN make\n", weak, "RUN make"),
        ("dockerfile arg", "api.Dockerfile", "FROM a\nARG NPM_TOKEN=§\nRUN make\n", strong, "RUN make"),
        ("systemd unit", "shop.service", '[Service]\nEnvironment="DB_PASSWORD=§"\nExecStart=/bin/shop\n', weak, "ExecStart=/bin/shop"),
        ("ini", "setup.ini", "[db]\nhost = db\npasswd = §\n", weak, "host = db"),
        ("toml", "config.toml", '[mail]\nhost = "smtp"\nsmtp_password = "§"\n', weak, 'host = "smtp"'),
        ("ldap", "ldap.conf", "base dc=example\nbindpw §\n", weak, "base dc=example"),
        ("ansible inventory", "hosts.ini", "[web]\nw1 ansible_user=ci ansible_password=§ ansible_port=22\n", weak, "ansible_port=22"),
        ("ansible variables", "group_vars/all.yml", "ansible_become_pass: §\nansible_user: ci\n", weak, "ansible_user: ci"),
        ("rails", "config/database.yml", "production:\n  adapter: postgresql\n  password: '§'\n", weak, "adapter: postgresql"),
        ("rails secret base", "config/app.yml", "production:\n  secret_key_base: §\n", drawn("rails", 128, _HEX), "production:"),
        ("laravel key", "config/deploy.yml", "env:\n  APP_KEY: base64:§\n", drawn("laravel", 43) + "=", "APP_KEY"),
        ("block scalar", "values.yaml", "db:\n  password: |\n    §\n  host: db\n", weak, "host: db"),
        ("yaml passphrase with spaces", "values.yaml", "signing:\n  passphrase: §\n  user: ci\n", "correct horse " + "battery 9", "user: ci"),
        ("gradle properties", "gradle.properties", "signing.keyId=24875D73\nsigning.password=§\n", weak, "signing.keyId=24875D73"),
        ("gradle script", "app/build.gradle", "android {\n  storeFile file('k')\n  storePassword '§'\n}\n", weak, "storeFile file('k')"),
        ("mysql client", "my.cnf", "[client]\nuser=root\npassword=§\n", weak, "user=root"),
        ("s3cmd", "s3cfg.conf", "access_key = x\nsecret_key = §\n", drawn("s3", 40), "access_key = x"),
        ("aws secret key", "deploy/values.yaml", "aws:\n  secretAccessKey: §\n  region: eu\n", drawn("aws", 40, _ALNUM + "/+"), "region: eu"),
        ("github workflow", ".github/workflows/ci.yml", "env:\n  DEPLOY_TOKEN: §\n  LEVEL: info\n", strong, "LEVEL: info"),
        ("jenkins", "credentials.xml", "<secret>{§}</secret>\n<id>ci</id>\n", drawn("jenkins", 44), "<id>ci</id>"),
        ("tag with an attribute", "recentservers.xml", '<User>root</User>\n<Pass encoding="base64">§</Pass>\n', base64.b64encode(b"Winter" b"2024!").decode(), "<User>root</User>", 'encoding="base64"'),
        ("tag of a namespace", "context.xml", "<app:password>§</app:password>\n<app:user>ci</app:user>\n", weak, "<app:user>ci"),
        ("plist", "Info.plist", "<key>ApiSecret</key>\n<string>§</string>\n<key>Name</key>\n<string>Shop</string>\n", strong, "<string>Shop</string>"),
        ("android strings", "res/values/strings.xml", '<string name="maps_api_key">§</string>\n<string name="app">Shop</string>\n', strong, ">Shop<"),
        ("property attribute", "beans.xml", '<property name="password" value="§"/>\n<property name="user" value="app"/>\n', weak, 'value="app"'),
        ("wireguard", "wg0.conf", "[Interface]\nPrivateKey = §\nAddress = 10.0.0.1/24\n", drawn("wg", 43) + "=", "10.0.0.1/24"),
        ("uuid key", "config.yml", "heroku_api_key: §\nname: shop\n", "0b6f2a4e-93d1-" + "4c58-8f7a-2d5be1c60a97", "name: shop"),
        ("camel case json", "config.json", '{"clientId": "shop", "clientSecret": "§"}\n', strong, '"clientId": "shop"'),
        ("mnemonic", "hardhat.json", '{"mnemonic": "§", "chain": 1}\n', "army van defense carry jealous " + "true garbage claim echo media make crunch", '"chain": 1'),
    ]  # fmt: skip
    return [_in(*row) for row in rows]


def _code() -> list[Shape]:
    weak, strong = "Winter" + "2024!", drawn("code", 24)
    rows = [
        ("python constant", "app/settings.py", 'DEBUG = True\nDB_PASSWORD = "§"\n', weak, "DEBUG = True"),
        ("django key", "shop/settings.py", "SECRET_KEY = 'django-insecure-§'\nDEBUG = True\n", drawn("dj", 50, _ALNUM + "@#%&*"), "DEBUG = True"),
        ("keyword argument", "app/db.py", 'connect(host="db", password="§", port=5432)\n', weak, 'host="db"', "port=5432"),
        ("python dictionary", "app/db.py", "DATABASES = {'NAME': 'shop', 'PASSWORD': '§'}\n", weak, "'NAME': 'shop'"),
        ("javascript object", "src/db.ts", 'new Pool({ host: "db", password: "§" })\n', weak, 'host: "db"'),
        ("java field", "src/Db.java", 'private static final String API_KEY = "§";\nint port = 1;\n', strong, "int port = 1;"),
        ("java setter", "src/Db.java", 'source.setUser("app");\nsource.setPassword("§");\n', weak, 'setUser("app")'),
        ("go field", "db.go", 'cfg := Config{User: "app", Password: "§"}\n', weak, 'User: "app"'),
        ("c# property", "Db.cs", 'public string ClientSecret { get; } = "x";\nvar apiKey = "§";\n', strong, "public string ClientSecret"),
        ("php define", "wp-config.php", "define( 'DB_USER', 'app' );\ndefine( 'DB_PASSWORD', '§' );\n", weak, "'DB_USER', 'app'"),
        ("wordpress salt", "wp-config.php", "define('AUTH_SALT', '§');\n$table_prefix = 'wp_';\n", drawn("salt", 64, _ALNUM + "!@#$%^&*()-_ []{}<>~+=,.;:/?|"), "$table_prefix = 'wp_'"),
        ("shell export", "deploy.sh", "#!/bin/sh\nexport DB_PASSWORD=§\nmake\n", weak, "make"),
        ("environment default", "app/settings.py", 'TOKEN = os.environ.get("API_TOKEN", "§")\n', strong, 'os.environ.get("API_TOKEN"'),
        ("bearer header", "docs/api.md", "curl -H 'Authorization: Bearer §' https://api.example.com/v1\n", drawn("bearer", 40), "https://api.example.com/v1"),
        ("basic header", "docs/api.md", "curl -H 'Authorization: Basic §' https://api.example.com/v1\n", base64.b64encode(b"admin:Winter" b"2024!").decode(), "https://api.example.com/v1"),
        ("curl user", "docs/api.md", "curl -u admin:§ https://api.example.com/v1\n", weak, "https://api.example.com/v1"),
        ("long option", "deploy.sh", "docker login -u ci --password § r.example\n", weak, "docker login -u ci"),
        ("long option with =", "Makefile", "up:\n\tmysql --user=root --password=§ shop\n", weak, "--user=root"),
        ("oracle user", "db/init.sql", "CREATE USER app IDENTIFIED BY §;\nCREATE TABLE a (b INT);\n", weak, "CREATE TABLE a (b INT);"),
        ("sql user", "db/init.sql", "CREATE USER app IDENTIFIED BY '§';\nCREATE TABLE a (b INT);\n", weak, "CREATE TABLE a (b INT);"),
        ("sql role", "db/init.sql", "CREATE ROLE app WITH LOGIN PASSWORD '§';\n", weak, "CREATE ROLE app WITH LOGIN"),
        ("yaml in a guide", "README.md", "```yaml\ndb:\n  password: §\n  host: db\n```\n", weak, "host: db"),
        ("prose", "README.md", "Log in as admin, password: §\n", weak, "Log in as admin"),
        ("notebook", "a.ipynb", '{"cells": [{"source": ["api_key = \\"§\\"\\n", "x = 1"]}]}\n', strong, "x = 1"),
    ]  # fmt: skip
    return [_in(*row) for row in rows]


def _typed() -> list[Shape]:
    """A name, a type, a value: as each language declares it."""
    rows = [
        ("python", "a.py", 'password: str = "§"'),
        ("python union", "a.py", 'password: str | None = "§"'),
        ("python generic", "a.py", 'password: Final[Optional[str]] = b"§"'),
        ("python parameter", "a.py", 'def connect(host: str, password: str = "§"): ...'),
        ("python brackets", "a.py", 'password = (\n    "§"\n)'),
        ("python continued", "a.py", 'password = \\\n    "§"'),
        ("kotlin", "a.kt", 'private val dbPassword: String = "§"'),
        ("kotlin nullable", "a.kt", 'var password: String? = "§"'),
        ("rust", "a.rs", 'const PASSWORD: &str = "§";'),
        ("rust lifetime", "a.rs", 'static PASSWORD: &\'static str = "§";'),
        ("rust string", "a.rs", 'let password: String = String::from("§");'),
        ("typescript", "a.ts", 'private readonly password: string = "§";'),
        ("typescript optional", "a.ts", 'password?: string = "§";'),
        ("typescript line", "a.ts", "const password: string =\n  '§';"),
        ("swift", "a.swift", 'let password: String = "§"'),
        ("scala", "a.scala", 'val password: Option[String] = Some("§")'),
        ("go", "a.go", 'var dbPassword string = "§"'),
        ("c array", "a.c", 'static char password[] = "§";'),
        ("c++ braces", "a.cpp", 'std::string password{"§"};'),
        ("c# property with accessors", "a.cs", 'public string Password { get; set; } = "§";'),
        ("visual basic", "a.vb", 'Dim password As String = "§"'),
        ("pascal", "a.pas", "password: string = '§';"),
        ("pl/sql", "a.sql", "v_password VARCHAR2(30) := '§';"),
        ("julia", "a.jl", 'password::String = "§"'),
        ("appended", "a.py", 'password += "§"'),
        ("r", "a.R", 'password <- "§"'),
        ("r outside of a function", "a.R", "password <<- '§'"),
        ("lua long brackets", "a.lua", "password = [[§]]"),
        ("c wide text", "a.c", '#define PASSWORD L"§"'),
        ("c text of utf-8", "a.c", '#define PASSWORD u8"§"'),
        ("c++ raw string", "a.cpp", 'auto password = R"(§)";'),
        ("c++ raw string with a mark", "a.cpp", 'auto password = u8R"x(§)x";'),
        ("r raw string", "a.R", 'password <- r"(§)"'),
        ("perl brackets", "a.pl", "my $password = q{§};"),
        ("lua brackets of a level", "a.lua", "local config = { password = [==[§]==] }"),
        ("nix text", "a.nix", "  password = ''§'';"),
        ("elixir sigil", "a.ex", "config :app, password: ~s(§)"),
        ("elixir sigil of bars", "a.exs", "config :app, password: ~S|§|"),
        ("elixir sigil of quotes", "a.exs", 'config :app, password: ~s"§"'),
        ("ocaml text", "a.ml", "let password = {|§|}"),
        ("postgres dollars", "a.sql", "CREATE USER MAPPING FOR a SERVER b OPTIONS (user 'a', password $$§$$);"),
        ("scala text with a prefix", "a.scala", 'val password = s"§"'),
        ("erlang definition", "a.hrl", '-define(PASSWORD, "§").'),
        ("proto default", "a.proto", 'optional string password = 1 [default = "§"];'),
        ("perl brackets of two", "a.pl", "connect(password => qq(§));"),
        ("ruby brackets", "a.rb", "password = %q(§)"),
        ("erlang tuple", "a.erl", '{password, "§"}'),
        ("erlang binary", "sys.config", '{default_pass, <<"§">>}'),
        ("elixir tuple", "a.exs", '{:password, "§"}'),
        ("javascript list", "a.js", 'const login = { password: ["§"] };'),
    ]
    weak = "Winter" + "2024!"
    return [
        _in(f"typed: {name}", path, f"ready()\n{line}\ndone()\n", weak, "ready()\n", "\ndone()")
        for name, path, line in rows
    ]


def _escaped() -> list[Shape]:
    """A name or a value that the reader of the file puts together from what is written."""
    weak, strong = "Winter" + "2024!", drawn("escaped", 30)
    rows = [
        ("yaml anchor", "a.yaml", "password: &pw §\nhost: db\n", weak, "&pw", "host: db"),
        ("yaml tag", "a.yaml", "password: !!str '§'\nhost: db\n", weak, "!!str", "host: db"),
        ("yaml tag and anchor", "a.yaml", "password: !!str &pw §\nhost: db\n", weak, "host: db"),
        ("yaml long tag", "a.yaml", "password: !<tag:yaml.org,2002:str> §\n", weak),
        ("ansible unsafe", "a.yaml", "password: !unsafe '§'\n", weak, "!unsafe"),
        ("yaml anchored block", "a.yaml", "password: &pw |\n  §\nhost: db\n", weak, "host: db"),
        ("yaml value below", "a.yaml", "db:\n  password:\n    §\n  host: db\n", weak, "host: db"),
        ("yaml anchor and value below", "a.yaml", "password: &pw\n  §\nhost: db\n", weak, "host: db"),
        ("yaml flow", "a.yaml", "db: {password: &pw §, host: db}\n", weak, "host: db"),
        ("yaml explicit key", "a.yaml", "? password\n: §\n? host\n: db\n", weak, ": db"),
        ("yaml explicit key in a list", "a.yaml", "- ? 'password'\n  : '§'\n", weak),
        ("yaml escaped key", "a.yaml", '"pass\\x77ord": §\n', weak),
        ("json slashes", "a.json", '{"url": "https:\\/\\/app:§@db\\/shop"}\n', weak, "@db\\/shop"),
        ("json query", "a.json", '{"url": "https:\\/\\/db\\/?a=1\\u0026token=§"}\n', strong, "token="),
        ("json escaped key", "a.json", '{"p\\u0061ssword": "§", "host": "db"}\n', weak, '"host": "db"'),
        ("json escaped letter", "a.json", '{"contrase\\u00f1a": "§"}\n', weak),
        ("json escaped value", "a.json", '{"password": "§", "host": "db"}\n', "Wint\\u0065r" + "2024!", '"host": "db"'),
        ("json list", "a.json", '{"password":["§"], "host": "db"}\n', weak, '"host": "db"'),
        ("json list on lines", "a.json", '{"password": [\n  "§"\n]}\n', weak),
        ("xml name and value", "a.xml", "<property>\n <name>db.password</name>\n <value>§</value>\n</property>\n", weak, "<name>db.password</name>"),
        ("xml parameter", "a.xml", "<param-name>password</param-name>\n<param-value>§</param-value>\n", weak),
        ("xml entry", "a.xml", "<entry><key>password</key><value>§</value></entry>\n", weak, "</value></entry>"),
        ("xml value in a tag", "a.xml", '<property name="password">\n  <value>§</value>\n</property>\n', weak, "</value>"),
        ("xml cdata", "a.xml", "<password><![CDATA[§]]></password>\n", weak, "<![CDATA[", "]]></password>"),
        ("xml cdata on lines", "a.xml", "<password>\n  <![CDATA[\n  §\n  ]]>\n</password>\n", weak),
        ("xml reference", "a.xml", '<add key="Db&#80;assword" value="§"/>\n', weak),
        ("xml address", "a.xml", '<a href="https://db/?a=1&amp;sig=§"/>\n', strong, "&amp;sig="),
        ("properties continued key", "a.properties", "spring.datasource.pass\\\n  word=§\nport=80\n", weak, "port=80"),
        ("properties continued value", "a.properties", "password=\\\n  §\nport=80\n", weak, "port=80"),
        ("dockerfile continued", "Dockerfile", "ENV A=1 \\\n    DB_PASSWORD=§ \\\n    B=2\n", weak, "A=1", "B=2"),
        ("spanish", "a.yaml", "contraseña: §\n", weak),
        ("french", "a.yaml", "mot_de_passe: §\n", weak),
        ("portuguese", "a.py", 'db_senha = "§"\n', weak),
        ("russian", "a.yaml", "пароль: §\n", weak),
        ("chinese", "a.md", "密码: §\n", weak),
        ("json colon below", "a.json", '{"password"\n\n  : "§", "host": "db"}\n', weak, '"host": "db"'),
        ("json value below", "a.json", '{"password":\n"§", "host": "db"}\n', weak, '"host": "db"'),
        ("json value below an empty line", "a.json", '{"password":\n\n"§", "host": "db"}\n', weak, '"host": "db"'),
        ("yaml value below an empty line", "a.yaml", "password:\n\n  §\nhost: db\n", weak, "host: db"),
        ("yaml quoted value below an empty line", "a.yaml", "password:\n  \n  '§'\nhost: db\n", weak, "host: db"),
        ("notebook command", "a.ipynb", '{"source": ["!mysql -p§\\n"]}\n', weak, "!mysql", '\\n"]}'),
        ("notebook table", "a.ipynb", '["|user|password|\\n",\n "|---|---|\\n",\n "|ann|§|\\n",\n "|bob||"]\n', weak, "|ann|", "|bob||"),
        ("notebook brackets", "a.ipynb", '["password = (\\n", "  \'§\'\\n", ")"]\n', weak, "password = (", '", ")"]'),
        ("notebook quotes in brackets", "a.ipynb", '["password = (\\n",\n "  \\"§\\"\\n",\n ")"]\n', weak, ' ")"]'),
    ]  # fmt: skip
    return [_in(*row) for row in rows]


def _spoken() -> list[Shape]:
    """In requests, comments, tables and commands."""
    weak, strong = "Winter" + "2024!", drawn("said", 30)
    rows = [
        ("request file", "a.http", "GET https://api.example.com/?access_token=§&page=2\n", strong, "&page=2"),
        ("query in a comment", "a.go", "// GET https://api.example.com/?page=2&key=§\nfunc a() {}\n", strong, "func a()"),
        ("comment", "a.py", "# the old password: §\nx = 1\n", weak, "x = 1"),
        ("commented out", "a.go", "\t// password = §\n\tx := 1\n", weak, "x := 1"),
        ("comment behind", "a.ts", "login()  // password: § here\n", weak, "login()", "here"),
        ("comment of a block", "A.java", "/*\n * password=§\n */\n", weak, " */"),
        ("script without a suffix", "bin/deploy", "#!/bin/sh\nexport DB_PASSWORD=§\nmake\n", weak, "make"),
        ("table", "a.md", "| user | password | role |\n|---|---|---|\n| admin | § | all |\n| ann | `§` | none |\n", weak, "| admin |", "| all |", "| none |"),
        ("table without a frame", "a.md", "user | **Password**\n--- | ---\nadmin | §\n\nEnd | of it\n", weak, "admin |", "End | of it"),
        ("list of definitions", "a.md", "- Password\n  : §\n- Host\n  : db\n", weak, "- Password", "  : db"),
        ("list of definitions in bold", "a.md", "**Admin password**\n: `§`\n", weak, "**Admin password**"),
        ("form", "a.html", '<input type="password" value="§"><input type="text" value="Ann">\n', weak, 'value="Ann"'),
        ("header of another scheme", "a.http", "GET /users\nAuthorization: SSWS §\n", "00" + drawn("ssws", 40), "Authorization: SSWS"),
        ("one-time password", "a.md", "Scan otpauth://totp/Shop:bob?secret=§&issuer=Shop once.\n", "JBSWY3DP" + "EHPK3PXP", "&issuer=Shop"),
        ("one-time password in settings", "a.yaml", "totp_secret: §\nhost: db\n", "JBSWY3DP" + "EHPK3PXP", "host: db"),
        ("npm config", "a.md", "npm config set //registry.example.org/:_authToken=§\n", "npmtok" + strong, "registry.example.org"),
        ("npm config apart", "Dockerfile", "RUN npm config set //registry.example.org/:_authToken §\n", "npmtok" + strong, "registry.example.org"),
        ("letters alone", "a.py", 'password = "§"\nhost = "db"\n', "correct" + "horsebatt", 'host = "db"'),
        ("letters alone in a guide", "a.md", "Log in with `password: '§'`.\n", "correct" + "horsebatt", "Log in with"),
        ("csh", "a.csh", "setenv PASSWORD §\nsetenv HOST db\n", weak, "setenv HOST db"),
        ("heredoc of read", "a.sh", "read -r PASSWORD <<EOF\n§\nEOF\nmake\n", weak, "EOF\nmake"),
        ("heredoc of read with a space", "a.md", "    read -r PASSWORD << 'EOF'\n    §\n    EOF\n", weak, "<< 'EOF'"),
        ("mysql", "a.sh", "mysql -u root -p§ shop\n", weak, "-u root", "shop"),
        ("sshpass", "a.md", "    sshpass -p '§' ssh ann@db\n", weak, "ssh ann@db"),
        ("redis", "a.yml", "run: redis-cli -h db -a § ping\n", weak, "-h db", "ping"),
        ("docker login", "a.sh", "docker login \\\n  -u ci \\\n  -p § r.example\n", weak, "-u ci", "r.example"),
        ("password of a pipe", "a.sh", "echo '§' | docker login -u ci --password-stdin\n", weak, "-u ci"),
        ("password of chpasswd", "a.sh", "echo root:§ | chpasswd -c x\n", weak, "root:"),
        ("openssl", "a.sh", "openssl enc -aes-256-cbc -k § -in a\n", weak, "-in a"),
        ("ldapsearch", "a.sh", "ldapsearch -x -D cn=admin -w § -b dc=a\n", weak, "-b dc=a"),
        ("zip", "a.sh", "unzip -P § a.zip\n", weak, "a.zip"),
    ]  # fmt: skip
    return [_in(*row) for row in rows]


def _put() -> list[Shape]:
    """With spaces, comments, arguments, defaults and prefixes between a name and its value, or around it."""
    weak, strong, spaced = "Winter" + "2024!", drawn("put", 40), "Winter" + "2024 in"
    rows = [
        ("ini comment", "a.ini", "[x]\npassword = § ; of the shop\n", weak, "; of the shop"),
        ("conf comment", "a.conf", "password = § // of the shop\n", weak, "// of the shop"),
        ("shell with spaces", "a.sh", 'DB_PASSWORD="§"\nexport A=b\n', spaced, "export A=b"),
        ("makefile with spaces", "Makefile", 'up:\n\texport MYSQL_PWD="§"\n', spaced, "up:"),
        ("makefile where it is not set", "Makefile", "DB_PASSWORD ?= §\nup:\n", weak, "DB_PASSWORD ?= ", "up:"),
        ("makefile where it is not set without spaces", "Makefile", "DB_PASSWORD?=§\nup:\n", weak, "DB_PASSWORD?=", "up:"),
        ("makefile export", "vars.mk", "export DB_PASSWORD ?= §\n", weak, "DB_PASSWORD ?= "),
        ("makefile at once", "Makefile", "DB_PASSWORD ::= §\nup:\n", weak, "DB_PASSWORD ::= ", "up:"),
        ("makefile at once, escaped", "Makefile", "DB_PASSWORD :::= §\nup:\n", weak, "DB_PASSWORD :::= ", "up:"),
        ("makefile echo", "Makefile", "DB_PASSWORD != echo '§'\nup:\n", weak, "DB_PASSWORD != echo '", "up:"),
        ("dockerfile with spaces", "Dockerfile", 'FROM x\nENV A=b DB_PASS="§" C=d\n', spaced, "A=b", "C=d"),
        ("compose with spaces", "compose.yaml", '- "ROOT_PASSWORD=§"\n- "A=b"\n', spaced, "A=b"),
        ("kubernetes comment between", "a.yaml", "- name: ROOT_PASSWORD\n  # of root\n\n  # really\n  value: §\n", weak, "# of root"),
        ("kubernetes comment behind", "a.yaml", "- name: ROOT_PASSWORD # of root\n  value: §\n", weak, "# of root"),
        ("yaml value below a comment", "a.yaml", "password: # of root\n  # really\n  §\nhost: db\n", weak, "# really", "host: db"),
        ("spring annotation", "A.java", '@Value("${db.password:§}") String x;\n', weak, '}") String x;'),
        ("default in a value", "a.yaml", "url: jdbc:x://db?p=${DB_PASSWORD:§}&ssl=true\n", weak, "&ssl=true"),
        ("jdbc oracle", "a.yaml", 'url: "jdbc:oracle:thin:scott/§@//h:1521/s"\n', weak, "scott/", "@//h:1521/s"),
        ("arguments", "Dockerfile", 'RUN ["sshpass", "-p", "§", "ssh", "h"]\n', weak, '"ssh", "h"'),
        ("arguments without quotes", "a.yaml", "command: [mysql, -u, root, -p§]\n", weak, "root, -p"),
        ("aws configure", "Makefile", "up:\n\taws configure set aws_secret_access_key §\n", strong, "aws configure set"),
        ("redis config set", "a.md", "Run `redis-cli config set requirepass §` once.\n", weak, "once."),
        ("terraform heredoc", "a.tf", 'resource "x" "y" {\n user_data = <<-EOF\nexport DB_PASSWORD=§\nEOF\n a = b\n}\n', "Winter" + "pw", " a = b"),
        ("terraform heredoc of settings", "a.tf", "user_data = <<EOF\nDB_PASSWORD: §\nEOF\n", "Winter" + "pw"),
        ("terraform heredoc as a value", "a.tfvars", "db_password = <<EOT\n§\nEOT\nhost = x\n", "Winter" + "pw", "<<EOT\n", "\nEOT\nhost = x"),
        ("terraform heredoc further in", "a.tf", 'a "b" {\n  password = <<-EOT\n    §\n    EOT\n  host = x\n}\n', "Winter" + "pw", "    EOT\n  host = x"),
        ("rust raw string", "a.rs", 'const PASSWORD: &\'static str = r#"§"#;\n', weak, '"#;'),
        ("kotlin getter", "a.kt", 'val password: String get() = "§"\nval a = 1\n', weak, "val a = 1"),
        ("kotlin getter below", "a.kt", 'val password: String\n    get() = "§"\n', weak),
        ("kotlin lazy", "a.kt", 'val password by lazy { "§" }\n', weak),
        ("kotlin typed lazy", "a.kt", 'val password: String by lazy { "§" }\n', weak),
        ("swift computed", "a.swift", 'var password: String { return "§" }\n', weak),
        ("option in a list of yaml", "a.yaml", "args:\n  - --requirepass\n  - §\n  - --appendonly\n", weak, "--appendonly"),
        ("option in a flow of yaml", "a.yaml", "args: [--requirepass, §, --appendonly]\n", weak, "--appendonly"),
        ("sql server", "a.sql", "CREATE LOGIN x WITH PASSWORD = N'§';\n", weak, "CREATE LOGIN x"),
        ("sql password for", "a.sql", "SET PASSWORD FOR 'x'@'%' = '§';\n", weak, "'x'@'%'"),
        ("python field", "a.py", 'password: str = field(default="§")\n', weak, "field(default="),
        ("argparse", "a.py", 'add("--password", help="of the db",\n    default="§")\n', weak, "of the db"),
        ("javascript or", "a.ts", 'const pw = process.env.PASSWORD || "§";\n', weak),
        ("python or", "a.py", 'pw = os.environ["PASSWORD"] or "§"\n', weak),
        ("powershell", "a.ps1", 'ConvertTo-SecureString "§" -AsPlainText -Force\n', weak, "-AsPlainText"),
        ("no-break space", "a.md", "Mot de passe / password\u00a0: §\n", weak),
    ]  # fmt: skip
    return [_in(f"put: {name}", *row) for name, *row in rows]


def _environments() -> list[Shape]:
    weak = "Winter" + "2024!"
    text = "# of the shop\nDB_HOST=db\nDB_PASSWORD=§\nexport API_ID='0815-abc'\n"
    return [
        Shape(path, path, text.replace("§", weak), (weak, "0815-abc"), ("DB_PASSWORD", "API_ID", "# of the shop"))
        for path in ("config.env.example", "env.production", "deploy/env.staging", "app.env.sample", "docker.env.dist", "env.local")
    ]  # fmt: skip


SHAPES = [
    *_tokens(),
    *_keys(),
    *_urls(),
    *_settings(),
    *_code(),
    *_typed(),
    *_escaped(),
    *_spoken(),
    *_put(),
    *_environments(),
]
