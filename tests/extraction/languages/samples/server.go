// Package checkout takes orders.
package checkout

import (
	"context"
	"fmt"

	pb "github.com/shop/checkout/genproto"
	"github.com/shop/checkout/money"
	"gopkg.in/yaml.v3"
)

// MaxLines an order may have.
const MaxLines = 50

var (
	errEmpty = fmt.Errorf("empty")
	retries  = 3
)

// Store keeps orders.
type Store interface {
	Reader
	Save(ctx context.Context, o *Order) error
}

// Server answers.
type Server struct {
	pb.UnimplementedCheckoutServer
	*Base
	store  Store
	prices *Prices
}

type (
	// Line is one row.
	Line struct{ sku string }
	ID   = string
	Sum  int
)

// Place takes one order.
// It charges nothing.
func (s *Server) Place(ctx context.Context, o *Order) (*pb.Receipt, error) {
	total := money.Sum(o.Lines)
	audit := NewAudit(total)
	audit.Write()
	if err := s.store.Save(ctx, o); err != nil {
		return nil, err
	}
	s.prices.Of(o)
	line := &Line{sku: "a"}
	line.Check()
	return &pb.Receipt{Total: total}, nil
}

func (s Set[T]) Add(v T) {}

func broken() { x := = 3 }

func NewServer(store Store) *Server {
	helper := func() { validate(store) }
	helper()
	return &Server{store: store}
}
