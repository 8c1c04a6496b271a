"""Events and commands that are classes, by the bus that carries them."""

from __future__ import annotations

import pytest

CASES = [
    ("mediatr", "A.cs", "using MediatR;\nclass A { void F() { _mediator.Send(new PayOrder(1)); } }\nclass PayHandler : IRequestHandler<PayOrder, bool> { }\nclass Told : INotificationHandler<OrderPaid> { }\n",
     ["PUBLISHES PayOrder @2", "SUBSCRIBES PayOrder @3", "SUBSCRIBES OrderPaid @4"]),
    ("axon", "A.java", "import org.axonframework.x;\nclass A {\n @CommandHandler\n void on(PayOrder c) { AggregateLifecycle.apply(new OrderPaid(c.id())); }\n @EventHandler\n void on(OrderPaid e, MetaData m) { gateway.send(new ShipOrder(1)); }\n}\n",
     ["SUBSCRIBES PayOrder @4", "PUBLISHES OrderPaid @4", "SUBSCRIBES OrderPaid @6", "PUBLISHES ShipOrder @6"]),
    ("symfony", "A.php", "<?php\nuse Symfony\\Component\\Messenger\\MessageBusInterface;\nclass A { function f() { $this->bus->dispatch(new PayOrder(1)); } }\nclass PayOrderHandler { public function __invoke(PayOrder $m) {} }\n",
     ["PUBLISHES PayOrder @3", "SUBSCRIBES PayOrder @4"]),
    ("commanded", "a.ex", "defmodule Router do\n  use Commanded.Commands.Router\n  dispatch PayOrder, to: Handler\nend\n", ["SUBSCRIBES PayOrder @3"]),
    ("nest", "a.ts", "import { CommandBus } from '@nestjs/cqrs';\nclass A { f() { this.commandBus.execute(new PayOrder(1)); } }\n@CommandHandler(PayOrder)\nclass H {}\n",
     ["PUBLISHES PayOrder @2", "SUBSCRIBES PayOrder @3"]),
    ("typed C#", "A.cs", "class A(IX x) : Acme.IQueryHandler<Ask, Told>, IFoo<B>, AuthHandler<Options> { }\nrecord C : IConsume<D>;\n",
     ["SUBSCRIBES Ask @1", "SUBSCRIBES D @2"]),
    ("typed Java", "A.java", "class A extends B<C> implements EventListener<Paid>, Map<D, E> { }\n", ["SUBSCRIBES Paid @1"]),
    ("typed Kotlin", "A.kt", "class A(val x: Int) : EventHandler<Paid>, Base<B>(x) { }\n", ["SUBSCRIBES Paid @1"]),
    ("typed TypeScript", "a.ts", "export class A extends B<C> implements IEventHandler<Paid>, D<E> { }\n", ["SUBSCRIBES Paid @1"]),
    ("typed Scala", "A.scala", "class A extends EventHandler[Paid] with B[C] { }\n", ["SUBSCRIBES Paid @1"]),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "rows"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_events(stated, path, text, rows):
    assert stated("events", path, text) == sorted(rows)
