-- A contact of one agency. Numbers are the agency's own and start again in every tenant.
CREATE TABLE customers (
    tenant_id       BIGINT NOT NULL,
    number          INTEGER NOT NULL,
    display_name    TEXT NOT NULL,
    email           TEXT,
    created_by      TEXT NOT NULL,
    created_at      TIMESTAMPTZ NOT NULL DEFAULT now(),
    updated_at      TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant_id, number)
);

CREATE TABLE follow_ups (
    id              BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id       BIGINT NOT NULL,
    customer_number INTEGER NOT NULL,
    due_on          DATE NOT NULL,
    closed_at       TIMESTAMPTZ,
    FOREIGN KEY (tenant_id, customer_number) REFERENCES customers (tenant_id, number)
);
