using System;
using Shop.Billing;
using Money = Shop.Money.Amount;
using static Shop.Clock.Times;
global using Shop.Events;

namespace Shop.Orders;

/// <summary>
/// Takes orders.
/// </summary>
[ApiController]
[Route("api/orders")]
public partial class OrderService : BaseService<Order>, IOrders, Shop.Api.IClosable
{
    public const int MaxLines = 50;
    private readonly IPaymentGateway _gateway;
    private readonly OrderRepository _repository = new();

    public OrderService(IPaymentGateway gateway)
    {
        _gateway = gateway ?? throw new ArgumentNullException(nameof(gateway));
    }

    public Money Total { get; private set; }

    /// <summary>Places one order.</summary>
    [HttpPost]
    public async Task<Receipt> PlaceAsync(Order order)
    {
        var audit = new AuditLog(order);
        audit.Write();
        this._repository.Save(order);
        Prices.Of(order);
        Check();
        return await _gateway.ChargeAsync<Receipt>(order.Total);
    }

    private int Broken() { return = 3; }

    private void Check() => throw new EmptyOrderException();

    public enum State { Open, Paid }

    public struct Line { public int Price() => 1; }
}

public interface IOrders : IReadable<Order>
{
    Task<Receipt> PlaceAsync(Order order);
}

/// <summary>One event.</summary>
public record OrderPlaced(int Id, string Buyer) : IntegrationEvent(Id);

public class Handler(IOrders orders, ILogger<Handler> logger) : IHandler
{
    public void Handle(OrderPlaced placed) => orders.PlaceAsync(null);
}

public delegate void Placed(Order order);

public static class OrderExtensions
{
    public static bool IsOpen(this Order order) => order.State == 1;
}
