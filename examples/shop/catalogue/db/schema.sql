-- 2024-02-06: the garden furniture team needed more than 255 characters.
CREATE TABLE products (
    sku             VARCHAR(32) PRIMARY KEY,
    title           VARCHAR(255) NOT NULL,
    description     TEXT NOT NULL DEFAULT '',
    price_cents     INTEGER NOT NULL CHECK (price_cents > 0)
);

CREATE TABLE shelf (
    sku             VARCHAR(32) NOT NULL REFERENCES products (sku),
    warehouse       VARCHAR(8) NOT NULL,
    on_hand         INTEGER NOT NULL CHECK (on_hand >= 0),
    PRIMARY KEY (sku, warehouse)
);
