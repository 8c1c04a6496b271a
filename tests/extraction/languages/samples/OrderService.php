<?php

declare(strict_types=1);

namespace Shop\Orders;

use Shop\Billing\PaymentGateway;
use Shop\Money\Amount as Money;
use Shop\Events\{OrderPlaced, Failed\OrderFailed as Failed};
use function Shop\Money\zero;

require_once __DIR__ . '/legacy.php';

const MAX_LINES = 50;

/**
 * Takes orders.
 *
 * @author nobody
 */
#[AsService]
final class OrderService extends BaseService implements Orders, \Shop\Api\Closeable
{
    use LogsThings, Shared\Counts;

    public const RETRIES = 3;
    private OrderRepository $repository;

    public function __construct(private readonly PaymentGateway $gateway, OrderRepository $repository)
    {
        $this->repository = $repository;
        $this->prices = new Prices();
    }

    /** Places one order. */
    #[Route('/orders', methods: ['POST'])]
    public function place(Order $order): Money
    {
        $audit = new AuditLog($order);
        $audit->write();
        $this->repository->save($order);
        $this->prices->of($order);
        Prices::warm();
        zero();
        $this->check();
        return $this->gateway->charge($order->total());
    }

    private function broken() { return = 3; }

    private function check(): void
    {
        throw new \RuntimeException('SELECT nothing FROM nowhere');
    }
}

interface Orders extends Readable {
    public function place(Order $order): Money;
}

trait LogsThings {
    public function log(string $text): void {}
}

enum State: string implements HasLabel {
    case Open = 'open';
    public function label(): string { return 'x'; }
}

/** Helps. */
function helper(): int { return total(); }
