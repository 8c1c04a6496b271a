-- Somebody who can log in. Compared in lower case; the application lowers it before it gets here.
CREATE TABLE customers (
    email           TEXT PRIMARY KEY,
    password_hash   TEXT NOT NULL,
    failed_logins   SMALLINT NOT NULL DEFAULT 0,
    locked_until    TIMESTAMPTZ,
    created_at      TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at      TIMESTAMPTZ NOT NULL DEFAULT now()
);

CREATE TABLE refresh_tokens (
    token_hash      TEXT PRIMARY KEY,
    customer_email  TEXT NOT NULL REFERENCES customers (email) ON UPDATE CASCADE,
    expires_at      TIMESTAMPTZ NOT NULL
);
