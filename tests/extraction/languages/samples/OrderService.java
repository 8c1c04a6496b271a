/* Copyright the shop. */
package org.shop.orders;

import java.util.List;
import org.shop.billing.PaymentGateway;
import org.shop.billing.PaymentGateway.Receipt;
import org.shop.events.*;
import static org.shop.money.Money.zero;

/**
 * Takes orders.
 *
 * @author nobody
 */
@Service
@Transactional(readOnly = true)
public class OrderService extends BaseService<Order> implements Orders, org.shop.api.Closeable {

    public static final int MAX_LINES = 50;
    private static final Logger LOG = LoggerFactory.getLogger(OrderService.class);

    @Autowired
    private PaymentGateway gateway;
    private final OrderRepository repository = new OrderRepository();

    public OrderService(Clock clock) {
        super(clock);
    }

    /** Places one order. */
    @Override
    public Receipt place(Order order) {
        AuditLog audit = AuditLog.open();
        audit.write(order);
        this.repository.save(order);
        zero();
        return gateway.charge(order.total());
    }

    private int broken() { return = 3; }

    enum State { OPEN, PAID; boolean done() { return this == PAID; } }

    /** One line. */
    record Line(String sku, int count) implements Comparable<Line> {
        int price() { return Prices.of(sku) * count; }
    }
}

interface Orders extends Readable<Order> {
    Receipt place(Order order);
}

@interface Audited { String value(); }
