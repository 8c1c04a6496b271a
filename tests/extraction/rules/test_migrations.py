"""Tables that migrations create."""

from __future__ import annotations

import pytest

from extraction.reading import extract_facts

MADE = [
    ("rails schema", "db/schema.rb", 'ActiveRecord::Schema[7.0].define(version: 1) do\n  create_table "orders", force: :cascade do |t|\n    t.string "state", null: false\n    t.index ["state"]\n  end\nend\n', "orders", 2, 5, "columns: state string"),
    ("rails migration", "db/migrate/1_a.rb", "class A < ActiveRecord::Migration[7.0]\n  def change\n    create_table :orders do |t|\n      t.references :user\n      t.timestamps\n    end\n  end\nend\n", "orders", 3, 6, "columns: user references"),
    ("doctrine", "src/Chat/Migration/Version1.php", "<?php\nfinal class Version1 extends AbstractMigration\n{\n  public function up(Schema $schema): void\n  {\n    $table = $schema->createTable('orders');\n    $table->addColumn('state', 'string');\n  }\n}\n", "orders", 6, 8, "columns: state string"),
    ("laravel", "database/migrations/1_a.php", "<?php\nreturn new class extends Migration {\n  public function up() {\n    Schema::create('orders', function (Blueprint $table) {\n      $table->string('state');\n    });\n  }\n};\n", "orders", 4, 6, "columns: state string"),
    ("alembic", "alembic/versions/a.py", "def upgrade():\n    op.create_table(\n        'orders',\n        sa.Column('id', sa.Integer(), nullable=False),\n    )\n", "orders", 3, 5, "columns: id Integer"),
    ("ef core", "Migrations/A.cs", 'class A : Migration {\n  void Up(MigrationBuilder migrationBuilder) {\n    migrationBuilder.CreateTable(\n      name: "orders",\n      columns: table => new {\n        Id = table.Column<int>(type: "integer", nullable: false)\n      });\n  }\n  void Down(MigrationBuilder b) {\n    b.CreateTable(name: "old", columns: table => new { });\n  }\n}\n', "orders", 4, 7, "columns: Id integer"),
    ("sequelize or knex", "migrations/a.js", "exports.up = (knex) =>\n  knex.schema.createTable('orders', (t) => {\n    t.string('state')\n  })\n", "orders", 2, 4, "columns: state string"),
    ("drizzle", "schema.ts", "export const orders = pgTable('orders', {\n  state: text('state'),\n});\n", "orders", 1, 3, "columns: state text"),
    ("diesel", "src/schema.rs", "diesel::table! {\n    orders (id) {\n        id -> Int4,\n    }\n}\n", "orders", 2, 5, "columns: id Int4"),
    ("exposed", "Orders.kt", 'object Orders : Table("orders") {\n    val state = varchar("state", 9)\n}\n', "orders", 1, 3, "columns: state varchar"),
    ("prisma", "schema.prisma", 'model Order {\n  id    Int @id\n  total Decimal\n  user  User\n  @@map("orders")\n}\n', "orders", 1, 6, "columns: id Int, total Decimal"),
    ("prisma", "schema.prisma", "model Order {\n  id Int @id\n}\n", "Order", 1, 3, "columns: id Int"),
    ("django migration", "shop/sales/migrations/0001_initial.py", "class Migration(migrations.Migration):\n    operations = [\n        migrations.CreateModel(\n            name='Order',\n            fields=[\n                ('state', models.CharField(max_length=9)),\n            ],\n        ),\n    ]\n", "sales_order", 4, 8, "columns: state CharField"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "text", "name", "first", "last", "columns"), [r[1:] for r in MADE], ids=[r[0] for r in MADE]
)
def test_created(path, text, name, first, last, columns):
    facts = extract_facts(path, text, "shop")
    tables = [d for d in facts.definitions if d.kind == "table"]
    assert [(d.name, d.start_line, d.end_line, d.summary) for d in tables] == [(name, first, last, columns)]
    provided = [c for c in facts.clues if c.kind == "table" and c.side == "provides"]
    assert [(c.key, c.relation, c.entity, c.line) for c in provided] == [(name.casefold(), "OWNS_TABLE", name, first)]


def test_a_django_model_may_name_its_table():
    text = "class M(migrations.Migration):\n    operations = [\n        migrations.CreateModel(\n            name='Order',\n            options={'db_table': 'crm\".\"orders'},\n        ),\n    ]\n"
    facts = extract_facts("sales/migrations/0001.py", text, "shop")
    assert [d.name for d in facts.definitions if d.kind == "table"] == ["orders"]


def test_code_without_tables():
    assert not [d for d in extract_facts("a.rb", "puts 1\n", "shop").definitions if d.kind == "table"]


def test_a_migration_of_several_databases_has_a_function_for_each():
    text = """def upgrade(engine_name):
    globals()[f"upgrade_{engine_name}"]()
def downgrade(engine_name):
    globals()[f"downgrade_{engine_name}"]()
def upgrade_sales():
    op.create_table("orders", sa.Column("id", sa.Integer()))
def downgrade_sales():
    op.create_table("gone", sa.Column("id", sa.Integer()))
def upgrade_bills():
    op.create_table("bills", sa.Column("id", sa.Integer()))
"""
    facts = extract_facts("migrations/versions/a.py", text, "shop")
    assert [(d.name, d.start_line) for d in facts.definitions if d.kind == "table"] == [("orders", 6), ("bills", 10)]
