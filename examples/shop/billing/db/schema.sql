-- Who is billed. The key is ours alone; no other service stores it.
CREATE TABLE customers (
    id              UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    legal_name      TEXT NOT NULL,
    email           TEXT NOT NULL,
    vat_number      VARCHAR(20),
    created_at      TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at      TIMESTAMPTZ NOT NULL DEFAULT now()
);

CREATE TABLE invoices (
    year            SMALLINT NOT NULL,
    serial          INTEGER NOT NULL,
    order_id        TEXT NOT NULL UNIQUE,
    customer_id     UUID NOT NULL REFERENCES customers (id),
    total_cents     BIGINT NOT NULL CHECK (total_cents >= 0),
    currency        CHAR(3) NOT NULL,
    due_on          DATE NOT NULL,
    settled_at      TIMESTAMPTZ,
    PRIMARY KEY (year, serial)
);
