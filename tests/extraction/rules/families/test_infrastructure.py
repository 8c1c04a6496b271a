"""Infrastructure as code: what runs, what triggers it, and which names it is given."""

from __future__ import annotations

import pytest

SAM = """Transform: AWS::Serverless-2016-10-31
Resources:
  ShipFunction:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: src/ship/
      FunctionName: ship-order
      Environment:
        Variables:
          QUEUE_URL: !Ref PaidQueue
      Policies:
        - SQSSendMessagePolicy:
            QueueName: !GetAtt PaidQueue.QueueName
        - DynamoDBCrudPolicy: {TableName: !Ref Orders}
      Events:
        Placed:
          Type: SQS
          Properties:
            Queue: !GetAtt OrdersQueue.Arn
        Api:
          Type: Api
          Properties: {Path: /ship, Method: post}
  OrdersQueue:
    Type: AWS::SQS::Queue
    Properties:
      QueueName: !Sub "${AWS::StackName}-orders-placed"
  PaidQueue:
    Type: AWS::SQS::Queue
  Orders:
    Type: AWS::DynamoDB::Table
    Properties: {TableName: orders-table}
"""
SERVERLESS = """service: shop
provider:
  environment:
    TABLE: orders
custom:
  queue: orders-queue
functions:
  pay:
    handler: src/pay.handler
    events:
      - httpApi: "POST /pay"
      - http: {path: "refunds/{id}", method: get}
      - sqs: {arn: "arn:aws:sqs:eu-west-1:123456789012:${self:custom.queue}"}
      - sns: order-events
"""
ASL = """{"StartAt": "Pay", "States": {
  "Pay": {"Type": "Task", "Resource": "arn:aws:states:::lambda:invoke", "Parameters": {"FunctionName": "pay-order"}},
  "Tell": {"Type": "Task", "Parameters": {"QueueUrl": "https://sqs.eu-west-1.amazonaws.com/123456789012/paid-orders"}}}}
"""
TERRAFORM = """resource "aws_lambda_function" "ship" {
  function_name = "ship-order"
}
resource "aws_dynamodb_table" "orders" {
  name = "orders-table"
}
resource "aws_lambda_event_source_mapping" "m" {
  event_source_arn = aws_sqs_queue.orders.arn
  function_name    = "ship-order"
}
resource "aws_sqs_queue" "orders" {
  name = "orders-queue"
}
"""
SCHEDULES = """resource "aws_cloudwatch_event_rule" "every-night" {
  name = "close-of-day-${var.stage}"
}
resource "aws_cloudwatch_event_target" "a" {
  rule = aws_cloudwatch_event_rule.every-night.name
  arn  = aws_lambda_function.close-day.arn
}
resource "aws_cloudwatch_event_target" "b" {
  rule = aws_cloudwatch_event_rule.every-night.name
  arn  = aws_ecs_cluster.main.arn
  ecs_target {
    task_definition_arn = aws_ecs_task_definition.report.arn
  }
}
"""
CDK = """import * as cdk from 'aws-cdk-lib';
const ship = new lambda.Function(this, 'ShipOrder', { handler: 'x' });
new dynamodb.Table(this, 'Orders', { tableName: 'orders-table' });
rule.addEventPattern({ detailType: ['OrderPaid'] });
new Rule(this, 'Sent', { eventPattern: { source: ['shop'], detailType: ['OrderSent'] } });
"""


@pytest.mark.parametrize(
    ("path", "text", "rows"),
    [
        ("template.yaml", SAM, [
            "ship-order CALLS ship-order @3", "ship-order DEFINES src/ship @3", "NAMES QUEUE_URL @10",
            "ship-order PUBLISHES PaidQueue @13", "ship-order SUBSCRIBES orders-placed @19", "ship-order USES_TABLE orders-table @14",
            "POST /ship EXPOSES /ship @22", "orders-table OWNS_TABLE orders-table @29",
        ]),
        ("serverless.yml", SERVERLESS, [
            "NAMES TABLE @4", "pay CALLS pay @9", "POST /pay EXPOSES /pay @11", "GET /refunds/{id} EXPOSES /refunds/{} @12",
            "pay SUBSCRIBES orders-queue @13", "pay SUBSCRIBES order-events @14",
        ]),
        ("pay.asl.json", ASL, ["CALLS pay-order @2", "PUBLISHES paid-orders @3"]),
        ("main.tf", TERRAFORM, [
            "ship-order CALLS ship-order @2", "orders-table OWNS_TABLE orders-table @5",
            "ship-order SUBSCRIBES orders.arn @8", "NAMES orders.arn @11",
        ]),
        ("stack.ts", CDK, [
            "ShipOrder CALLS shiporder @2", "orders-table OWNS_TABLE orders-table @3", "SUBSCRIBES OrderPaid @4", "SUBSCRIBES OrderSent @5",
        ]),
    ],
)  # fmt: skip
def test_what_runs_and_what_triggers_it(stated, path, text, rows):
    assert stated("infrastructure", path, text, who=True) == sorted(rows)


def test_a_schedule_of_terraform_is_what_its_targets_subscribe_to(stated):
    assert stated("infrastructure", "a.tf", SCHEDULES, who=True) == sorted([
        "NAMES every-night.name @1",
        "aws_lambda_function.close-day.arn SUBSCRIBES every-night.name @5",
        "aws_ecs_task_definition.report.arn SUBSCRIBES every-night.name @9",
    ])  # fmt: skip
