"""What only looks like a secret: placeholders, references, names, types, code."""

from __future__ import annotations

__all__ = ["NOT_SECRET"]

NOT_SECRET = [
    ("compose.yaml", "services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: ${DB_PASSWORD}\n      API_TOKEN: ${API_TOKEN:?missing}\n"),
    ("compose.yaml", "services:\n  db:\n    secrets:\n      - db_password\nsecrets:\n  db_password:\n    file: ./db_password.txt\n"),
    ("application.yml", "spring:\n  datasource:\n    password: changeme\n    url: jdbc:postgresql://db:5432/shop\n"),
    ("application.properties", "spring.datasource.password=${DB_PASSWORD:}\njwt.secret=@jwt.secret@\ntoken.expiry=3600\n"),
    ("appsettings.json", '{"ApiKey": "<your-api-key>", "Password": "", "Token": null, "TokenLifetime": 60, "RequireToken": true}\n'),
    ("deploy.yaml", "env:\n- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db-credentials\n      key: password\n"),
    ("values.yaml", "existingSecret: my-db\nsecretName: tls-cert-2024\nimagePullSecrets:\n- name: regcred\npasswordFile: /run/secrets/db\n"),
    ("values.yaml", "auth:\n  secret: my-app-v2-x1\n  token: v1.2.3\n  publicKey: ed25519\n  passwordSecretRef:\n    name: db\n"),
    ("openapi.yaml", "properties:\n  password:\n    type: string\n    example: hunter2\n  token: {type: string}\nsecurity:\n- token: []\n"),
    ("schema.json", '{"properties": {"password": {"type": "string"}, "api_key": {"type": "string", "default": "your-key"}}}\n'),
    ("locales/en.yml", "en:\n  password: Password1\n  forgot_password: Forgot it?\n"),
    ("src/i18n/de.json", '{"password": "Passwort", "token": "Zeichen2", "secret": "Geheim"}\n'),
    ("main.tf", "password = var.db_password\nsecret_key = random_password.x.result\ntoken = data.vault.token\n"),
    ("ci.yml", "env:\n  TOKEN: ${{ secrets.GITHUB_TOKEN }}\n  PASSWORD: $(db.password)\n  API_KEY: '{{ api_key }}'\n"),
    ("template.yml", "Password: !Ref DbPassword\nToken: !Sub '{{resolve:secretsmanager:x}}'\npassword: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n"),
    ("ci.yml", "env:\n  TOKEN: ${{ format('{0}-{1}', a.b, c/d) || x[1] && y }}\n"),
    ("logins.json", '{"usernameField": "login", "passwordField": "password",\n "hostname": "app.example.com", "fields": ["password", "user1"]}\n'),
    ("nginx.conf", "location / {\n  proxy_pass http://backend:8080;\n  auth_basic_user_file /etc/nginx/passwd;\n}\n"),
    ("deploy.sh", "PASSWORD=$1\nTOKEN=$(cat token.txt)\nread -s password\ndocker run -v $(pwd):/src x --password-stdin\nexport OLDPWD=$PWD\n"),
    ("app/auth.py", "def check(password: str, token: str | None = None) -> bool:\n    password = get_password()\n    return self.token == token\n"),
    ("app/auth.py", "connect(password=password, secret=settings.SECRET_KEY, api_key=os.environ['API_KEY'])\n"),
    ("app/auth.py", 'PASSWORD_FIELD = "password"\nTOKEN_URL = "https://auth.example.com/token"\nkind = "api_key"\nraise ValueError("wrong password")\n'),
    ("app/auth.py", 'token = "bearer"\nAPI_KEY_HEADER = "X-API-Key"\napi_key = "<your-token>"\nsecret = "example"\npassword = "password"\n'),
    ("src/auth.ts", 'interface Login { password: string; token?: string }\nconst password = user.password;\nconst tokenizer = "bert-base-uncased";\n'),
    ("src/Auth.java", 'String password = config.getPassword();\nmap.put("password", password);\n@Value("${app.secret}") String secret;\n'),
    ("auth.go", 'password := os.Getenv("DB_PASSWORD")\ntype Config struct { Token string `json:"token"` }\n'),
    ("auth.rb", "password = params[:password]\nhas_secure_password\nvalidates :token, presence: true\n"),
    ("schema.sql", "CREATE TABLE users (password_hash TEXT NOT NULL, reset_token TEXT, api_key VARCHAR(40));\n"),
    ("schema.graphql", "input Login { password: String! token: ID }\n"),
    ("user.proto", "message Login {\n  string password = 2;\n  string token = 3;\n}\n"),
    ("README.md", "Never log a password. The token is valid for 15 minutes; password: see the vault. Set API_KEY=your-api-key first.\n"),
    ("README.md", "Clone `https://github.com/acme/shop.git`, connect to postgres://user:password@localhost:5432/shop, ssh://git@host:22/x.\n"),
    ("README.md", "Tokens look like `ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`. Basic authentication is off, Bearer tokens are on.\n"),
    ("README.md", "Fixed in 3f2a9c1e8b7d6a5f4e3d2c1b0a9f8e7d6c5b4a39, image sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.\n"),
    ("index.html", '<script src="a.js" integrity="sha384-oqVuAfXRKap7fdgcCY5uykM6R9GqQ8KuxyrxHNQlGYlkPzQhowxJwYwC" nonce=""></script>\n'),
    ("id.txt", "request 550e8400-e29b-41d4-a716-446655440000 at 2024-05-01T10:00:00Z took call_4cyd6GaX0wACGNi47aGC83\n"),
    ("app/keys.py", 'cache_key = f"user:{user.id}"\nprimary_key = "id"\nsort_key = ("name", 2)\nfor key in keys: pass\n'),
    ("key.pub.txt", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl ann@example.com\n"),
    ("env.py", "DEBUG = True\nNAME = 'shop'\n"),
    ("config.env.example", "# the shop\nDB_PASSWORD=\nDB_HOST=<host>\nPORT=8080\nDEBUG=true\nTOKEN=${TOKEN}\nexport KEY=changeme\n"),
]  # fmt: skip
"""Files, path and text, of which nothing is to be taken away."""
