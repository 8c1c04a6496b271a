#ifndef CART_H
#define CART_H

#include "list.h"

#define MAX_LINES 50

/** One cart. */
struct cart {
    int lines;
    struct list *items;
};

typedef struct line {
    int sku;
} line_t;

enum state { OPEN, PAID };

typedef int (*compare)(const void *, const void *);

int cart_add(struct cart *cart, int sku);
void cart_free(struct cart *cart);

#endif
