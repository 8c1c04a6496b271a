# frozen_string_literal: true

require 'json'
require 'shop/money'
require_relative '../billing/gateway'

module Shop
  # Takes orders.
  #
  # More.
  class Order < ApplicationRecord
    include Comparable
    extend Finders::ByName

    MAX_LINES = 50
    attr_reader :lines, :total
    attr_accessor :state

    # Places one order.
    def place(gateway = Gateway.new)
      @repository = OrderRepository.new
      @repository.save(self)
      audit = Shop::AuditLog.new(self)
      audit.write
      Prices.of(lines)
      check
    end

    def self.open
      new.tap(&:check)
    end

    class << self
      def all = OrderRepository.new.all
    end

    class Line
      def price; 1; end
    end

    private

    def check
      raise EmptyOrder unless valid?
    end
  end

  class Billing::Invoice < Base; end

  class EmptyOrder < StandardError; end

  def self.version
    '1'
  end
end

def broken() 1 + ; end

def top_level
  Shop::Order.open
end
