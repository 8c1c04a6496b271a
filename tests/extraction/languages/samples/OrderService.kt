package org.shop.orders

import org.shop.billing.PaymentGateway
import org.shop.events.*
import org.shop.money.Money as Amount

const val MAX_LINES = 50

/**
 * Takes orders.
 */
@Service
class OrderService(
    private val gateway: PaymentGateway,
    clock: Clock,
) : BaseService<Order>(clock), Orders, org.shop.api.Closeable {

    private val repository: OrderRepository = OrderRepository()
    lateinit var prices: Prices

    /** Places one order. */
    @Transactional
    override suspend fun place(order: Order): Amount {
        val audit = AuditLog(order)
        audit.write()
        this.repository.save(order)
        prices.of(order)
        validate(order)
        Ledger.open()
        return gateway.charge(order.total)
    }

    fun broken(): Int { return = 3 }

    companion object {
        const val RETRIES = 3
        fun create() = OrderService()
    }

    enum class State { OPEN, PAID }
}

interface Orders : Readable<Order> {
    fun place(order: Order): Amount
}

/** The only one. */
object Ledger : Closeable {
    fun open() = Unit
}

data class Line(val sku: String)

typealias Lines = List<Line>

fun validate(order: Order) = require(order.lines.isNotEmpty())

fun Order.isOpen(): Boolean = state == OPEN
