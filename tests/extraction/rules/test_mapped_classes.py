"""Classes that are stored in tables."""

from __future__ import annotations

import pytest

from extraction.reading import extract_facts

STATED = [
    ("jpa", "Order.java", 'import jakarta.persistence.*;\n@Entity\n@Table(name = "orders")\npublic class Order {\n  @Column(name = "order_state") String state;\n}\n', "Order", "orders", 3),
    ("jpa the other way round", "Order.java", 'import javax.persistence.*;\n@Table(name = "orders")\n@Entity\nclass Order {}\n', "Order", "orders", 2),
    ("spring data", "Order.java", 'import org.springframework.data.relational.core.mapping.Table;\n@Table("orders")\nrecord Order(int id) {}\n', "Order", "orders", 2),
    ("ef annotation", "Order.cs", 'using System.ComponentModel.DataAnnotations;\n[Table("orders")]\npublic class OrderEntity { }\n', "OrderEntity", "orders", 2),
    ("gorm", "order.go", 'package a\ntype Order struct{ ID int }\nfunc (o *Order) TableName() string { return "orders" }\n', "Order", "orders", 3),
    ("active record", "order.rb", "class Order < ApplicationRecord\n  self.table_name = 'crm.orders'\nend\n", "Order", "orders", 2),
    ("eloquent", "Order.php", "<?php\nuse Illuminate\\Database\\Eloquent\\Model;\nclass Order extends Model {\n  protected $table = 'orders';\n}\n", "Order", "orders", 4),
    ("typeorm", "order.ts", "import { Entity } from 'typeorm';\n@Entity('orders')\nexport class Order {\n  id: number;\n}\n", "Order", "orders", 2),
    ("sea-orm", "order.rs", 'use sea_orm::entity::prelude::*;\n#[derive(Clone, DeriveEntityModel)]\n#[sea_orm(schema_name = "crm", table_name = "orders")]\npub struct Model {\n    pub id: i32,\n}\n', "Model", "orders", 3),
    ("diesel", "order.rs", "use diesel::prelude::*;\n#[derive(Queryable)]\n#[diesel(table_name = crate::schema::orders)]\n#[diesel(check_for_backend(diesel::pg::Pg))]\npub struct Order {\n    pub id: i32,\n}\n", "Order", "orders", 3),
    ("typeorm options", "order.ts", "import { Entity } from 'typeorm';\n@Entity({ name: 'orders' })\nexport class Order {\n  id: number;\n}\n", "Order", "orders", 2),
]  # fmt: skip


def tables(path, text):
    facts = extract_facts(path, text, "shop")
    return facts, [c for c in facts.clues if c.kind == "table"]


@pytest.mark.parametrize(("path", "text", "cls", "table", "line"), [r[1:] for r in STATED], ids=[r[0] for r in STATED])
def test_a_stated_name_stands_for_the_table(path, text, cls, table, line):
    facts, clues = tables(path, text)
    assert {(c.relation, c.side, c.key, c.entity, c.value) for c in clues} == {
        ("OWNS_TABLE", "provides", table, table, "mapped"),
        ("STORES_IN", "needs", table, cls, ""),
        ("USES_TABLE", "needs", table, cls, ""),
    }
    assert [d.start_line for d in facts.definitions if d.kind == "table"] == [line]


def test_columns_that_are_named():
    facts, _ = tables(*STATED[0][1:3])
    assert [d.summary for d in facts.definitions if d.kind == "table"] == ["columns: order_state"]


CONVENTIONS = [
    ("jpa", "OrderItem.java", "import jakarta.persistence.Entity;\n@Entity\nclass OrderItem {}\n", {"order_item", "orderitem"}, "OrderItem"),
    ("gorm", "a.go", 'package a\nimport "gorm.io/gorm"\ntype OrderItem struct {\n\tgorm.Model\n}\n', {"order_items"}, "OrderItem"),
    ("active record", "a.rb", "class OrderItem < ApplicationRecord\nend\n", {"order_items"}, "OrderItem"),
    ("eloquent", "A.php", "<?php\nuse Illuminate\\Database\\Eloquent\\Model;\nclass Category extends Model {}\n", {"categories"}, "Category"),
    ("django", "sales/models.py", "from django.db import models\nclass Order(models.Model):\n    pass\n", {"sales_order"}, "Order"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "keys", "cls"), [r[1:] for r in CONVENTIONS], ids=[r[0] for r in CONVENTIONS])
def test_a_name_by_convention_is_only_needed(path, text, keys, cls):
    _, clues = tables(path, text)
    assert {(c.key, c.entity, c.value, c.side) for c in clues} == {(k, cls, "convention", "needs") for k in keys}


def test_what_tells_about_a_class_uses_the_table_and_is_not_stored_in_it():
    text = 'class C : IEntityTypeConfiguration<Order> {\n  void Configure(EntityTypeBuilder<Order> b) { b.ToTable("orders"); }\n}\n'
    _, clues = tables("C.cs", text)
    assert {c.relation for c in clues if c.side == "needs"} == {"USES_TABLE"}
    _, clues = tables("D.cs", "class D : DbContext {\n  public DbSet<Order> Orders { get; set; }\n}\n")
    assert [(c.relation, c.key, c.entity, c.value) for c in clues] == [("USES_TABLE", "orders", "D", "convention")]


def test_sequelize_names_the_table_of_the_class_around():
    text = "const { Model } = require('sequelize');\nclass Order extends Model {\n  static start() {\n    Order.init({}, { tableName: 'orders' });\n  }\n}\n"
    _, clues = tables("order.js", text)
    assert {(c.key, c.entity) for c in clues if c.side == "needs"} == {("orders", "Order.start")}
    assert tables("order.js", "require('sequelize');\nx({ tableName: 'orders' });\n")[1] == []


def test_a_space_in_front_of_what_an_annotation_says():
    text = 'import javax.persistence.*;\n@Entity\n@Table (name="prices")\npublic class Price {\n}\n'
    clues = extract_facts("Price.java", text, "shop").clues
    assert {(c.relation, c.key) for c in clues if c.kind == "table"} >= {
        ("OWNS_TABLE", "prices"),
        ("USES_TABLE", "prices"),
    }
