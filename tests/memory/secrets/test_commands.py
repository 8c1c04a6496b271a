from __future__ import annotations

import pytest

from memory.secrets.commands import option_spans

PASSWORD = "Winter" + "2024!"


@pytest.mark.parametrize(
    "command",
    [
        "mysqldump -u root -p§ shop", "mariadb -p'§'", "7z x -p§ a.7z", "sshpass -p§ ssh x", "mongosh -u a -p § db", "helm registry login -p § x",
        'redis-cli -a "§" ping', "openssl x509 -passin pass:§", "openssl enc -key a.pem -k §", "ldapadd -w §", "sqlcmd -S db -P §", "ipmitool -P § power",
        "unzip -P § a.zip", "curl -u ann:§ x", "curl -fsSLu ann:§ x", "printf \"%s\" '§' | docker login --password-stdin", "curl --user=ann:§ x", "http -a ann:§ x", "echo § | sudo -S ls", "echo -n '§'|docker login --password-stdin",
        "printf 'ann:§' | chpasswd", "['mysql', '-u', 'root', '-p§']", '["sshpass","-p","§"]', "[sshpass, -p, §, ssh]", '["docker", "login", "-p", "§"]',
        '["curl", "-u", "ann:§", "x"]', "mysql\n  - -u\n  - root\n  - -p§", '"sshpass",\n  "-p",\n  "§"', "- sshpass\n- -p\n- §", "ConvertTo-SecureString -String '§'",
    ],
)  # fmt: skip
def test_a_password_of_a_command(command):
    text = f"cd x; {command.replace('§', PASSWORD)}\nnext\n"
    assert [text[start:end] for start, end in option_spans(text)] == [PASSWORD]


@pytest.mark.parametrize(
    "command",
    [
        f"mysql -p {PASSWORD}", f"mysql -u root; mkdir -p{PASSWORD}", f"mysql\nmkdir -p{PASSWORD}", "mysql -p$DB_PASS1", "mysql -proot", "sshpass -p <password> x",
        f"docker run -p {PASSWORD}", "docker login -p ${TOKEN}", f"curl -u {PASSWORD} x", f"echo {PASSWORD}; sudo -S ls", f"echo {PASSWORD} | tee a",
        f'["mysql", "-p", "{PASSWORD}"]', f"- mysql\n\n- -p{PASSWORD}", f'["docker", "run", "-p", "{PASSWORD}"]', f"mysql\n-p{PASSWORD}",
    ],
)  # fmt: skip
def test_what_only_looks_like_one(command):
    assert list(option_spans(command)) == []
