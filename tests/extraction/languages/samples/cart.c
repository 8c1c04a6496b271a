/* Carts. */
#include <stdio.h>
#include "cart.h"
#include "billing/gateway.h"

#define RETRIES 3
#define SQUARE(x) ((x) * (x))

static int total = 0;
const char *NAME = "cart";

static int check(struct cart *cart);

/**
 * Adds one line.
 */
int cart_add(struct cart *cart, int sku)
{
    check(cart);
    list_push(cart->items, sku);
    return SQUARE(sku);
}

static int check(struct cart *cart) { return cart != NULL; }

int broken(void) { return = 3; }

struct cart *
cart_new(void)
{
    struct cart *made = gateway_open();
    return made;
}

union value { int number; };

void cart_free(struct cart *cart)
{
    printf("SELECT id FROM carts");
    free(cart);
}
