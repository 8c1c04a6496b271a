"""Stores beside those of test_mapped_classes.py: documents, key-value tables and the mappings of other languages."""

from __future__ import annotations

import pytest

CASES = [
    ("mongoose", "a.ts", "import mongoose from 'mongoose';\nexport const Order = mongoose.model('Order', schema, 'orders');\n", ["OWNS_TABLE orders @2", "USES_TABLE orders @2"]),
    ("mongoose's models by name", "a.js", "import mongoose from 'mongoose';\nfunction f() { return models.Order.find({}); }\n", ["USES_TABLE order @2"]),
    ("models by their own name", "a.js", "const { Order } = require('./models');\nfunction f() { return Order.findOneAndUpdate({ id }, {}); }\n", ["USES_TABLE order @2"]),
    ("mongodb", "a.js", "const { MongoClient } = require('mongodb');\nfunction f() { return client.db().collection('orders').find(); }\n", ["USES_TABLE orders @2"]),
    ("mongodb with a type", "a.ts", "import { MongoClient } from 'mongodb';\nfunction f() { return client.db('shop').collection<Order>('orders').find(); }\n", ["USES_TABLE orders @2"]),
    ("mongodb in Python", "a.py", "from pymongo import MongoClient\ndef f(db):\n    db.orders.insert_one({})\ndef g(self):\n    return self._db['refunds'].find_one({})\n", ["USES_TABLE orders @3", "USES_TABLE refunds @5"]),
    ("cosmos db of azure functions", "A.java", 'import com.microsoft.azure.functions.annotation.CosmosDBOutput;\nclass A { void f(@CosmosDBOutput(name = "o", databaseName = "db", containerName = "paid-orders") O o) {} }\n', ["USES_TABLE paid-orders @2"]),
    ("rethinkdb", "a.py", "import doublethink\ndef f(self):\n    return self.rr.table('pages').insert({}), self.rr.table(Page.table).run()\n", ["USES_TABLE pages @3"]),
    ("sequel", "a.rb", "require 'sequel'\ndef f\n  db[:log_parts].insert({})\n  options[:db]\nend\n", ["USES_TABLE log_parts @3"]),
    ("a key of redis in Python", "a.py", "def f(redis, id):\n    redis.sadd('orders:open', id)\n    redis.hget('orders:cart:{}'.format(id), 'x')\n", ["USES_TABLE orders:cart @3", "USES_TABLE orders:open @2"]),
    ("a key of redis in Java", "A.java", 'class A { void f(Jedis jedis) { jedis.set("orders:lock:" + id, "1"); map.set("orders:lock", 2); } }\n', ["USES_TABLE orders:lock @1"]),
    ("a key of redis in Go", "a.go", 'package a\nimport "github.com/redis/go-redis/v9"\nfunc f() { rdb.HSet(ctx, "orders:cart:"+id, "a", 1) }\n', ["USES_TABLE orders:cart @3"]),
    ("a key of redis in .NET", "A.cs", 'using StackExchange.Redis;\nclass A { void F() { _db.StringSetAsync($"orders:cart:{id}", 1); } }\n', ["USES_TABLE orders:cart @2"]),
    ("a key of redis in PHP", "a.php", "<?php\nfunction f($redis, $id) { $redis->hSet('orders:cart:' . $id, 'a', 1); }\n", ["USES_TABLE orders:cart @2"]),
    ("a key of redis in Rust", "a.rs", 'fn f(con: &mut C) { con.sadd("orders:open", 1); }\n', ["USES_TABLE orders:open @1"]),
    ("a key in one word is no key space", "a.js", "function f() { redis.get('orders'); cache.get('orders:open'); }\n", []),
    ("dynamodb", "a.ts", "import { GetCommand } from '@aws-sdk/lib-dynamodb';\nfunction f() { return c.send(new GetCommand({ TableName: 'orders-table', Key: k })); }\n", ["USES_TABLE orders-table @2"]),
    ("dynamodb in Python", "a.py", "import boto3\ndef f():\n    table = boto3.resource('dynamodb').Table('orders-table')\n", ["USES_TABLE orders-table @3"]),
    ("prisma", "a.ts", "import { PrismaClient } from '@prisma/client';\nasync function f() { return prisma.order.findMany({ where: {} }); }\n", ["USES_TABLE order @2"]),
    ("spring data mongodb", "A.java", 'import org.springframework.data.mongodb.core.mapping.Document;\n@Document(collection = "orders")\nclass Order {}\n',
     ["OWNS_TABLE orders @2", "STORES_IN orders @2", "USES_TABLE orders @2"]),
    ("mongo in Go", "a.go", 'package a\nimport "go.mongodb.org/mongo-driver/mongo"\nfunc f() { db.Collection("orders") }\n', ["USES_TABLE orders @3"]),
    ("mongo in .NET", "A.cs", 'using MongoDB.Driver;\nclass A { void F() { _db.GetCollection<Order>("orders"); } }\n', ["USES_TABLE orders @2"]),
    ("doctrine", "A.php", "<?php\nuse Doctrine\\ORM\\Mapping as ORM;\n#[ORM\\Entity]\n#[ORM\\Table(name: 'shop_orders')]\nclass Order {}\n",
     ["OWNS_TABLE shop_orders @4", "STORES_IN shop_orders @4", "USES_TABLE shop_orders @4"]),
    ("ecto", "a.ex", 'defmodule Shop.Order do\n  use Ecto.Schema\n  schema "orders" do\n    field :state\n  end\nend\n', ["OWNS_TABLE orders @3", "STORES_IN orders @3", "USES_TABLE orders @3"]),
    ("an entity that generates its key", "A.java", "import jakarta.persistence.GeneratedValue;\nimport jakarta.persistence.Entity;\n@Entity\nclass Order {}\n",
     ["STORES_IN order @3", "USES_TABLE order @3"]),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "rows"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_stores(stated, path, text, rows):
    assert stated("stores", path, text) == sorted(rows)
