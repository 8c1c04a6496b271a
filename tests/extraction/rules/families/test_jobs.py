"""Job queues: who enqueues which job, and what runs it."""

from __future__ import annotations

import pytest

CASES = [
    ("celery", "a.py", "from celery import shared_task\n@shared_task\ndef send_mail(x): ...\ndef f():\n    send_mail.delay(1)\n",
     ["SUBSCRIBES send_mail @2", "PUBLISHES send_mail @5"]),
    ("celery's schedule", "a.py", "from celery.schedules import crontab\nSCHEDULE = {\n    'sync': {'task': 'checks.tasks.sync', 'schedule': crontab(hour=0)},\n}\n", ["PUBLISHES checks.tasks.sync @3"]),
    ("sidekiq", "a.rb", "class MailJob\n  include Sidekiq::Job\n  def perform(id)\n    OtherJob.perform_async(id)\n  end\nend\n",
     ["SUBSCRIBES MailJob @1", "PUBLISHES OtherJob @4"]),
    ("sidekiq's client", "a.rb", "def hub(*args)\n  ::Sidekiq::Client.push('queue' => 'hub', 'class' => 'Hub::Worker', 'args' => args)\nend\n",
     ["PUBLISHES hub @2"]),
    ("sidekiq's client with a setting", "a.rb", "def hub(*args)\n  default_client.push('queue' => ENV['HUB_QUEUE'] || 'hub', 'class' => 'Hub::Worker')\nend\n",
     ["PUBLISHES hub @2"]),
    ("active job", "a.rb", "class MailJob < ApplicationJob\n  queue_as :mail\nend\nMailJob.perform_later(1)\nMailJob.set(wait: 1.week).perform_later(user)\n",
     ["SUBSCRIBES MailJob @1", "PUBLISHES MailJob @4", "PUBLISHES MailJob @5"]),
    ("resque", "a.rb", "require 'resque'\nclass Archive\n  @queue = :file_serve\n  def self.perform(x); end\nend\nResque.enqueue(Archive, 1)\n",
     ["SUBSCRIBES Archive @3", "PUBLISHES Archive @6"]),
    ("rq", "a.py", "from rq import Queue\ndef f(q):\n    q.enqueue(tasks.count_words, 'x')\n", ["PUBLISHES count_words @3"]),
    ("dramatiq", "a.py", "import dramatiq\n@dramatiq.actor\ndef count_words(url): ...\ncount_words.send('x')\n",
     ["SUBSCRIBES count_words @2", "PUBLISHES count_words @4"]),
    ("bull", "a.ts", "import { Queue, Worker } from 'bullmq';\nconst q = new Queue('paint');\nnew Worker('paint', async job => {});\n",
     ["PUBLISHES paint @2", "SUBSCRIBES paint @3"]),
    ("bull of nest", "a.ts", "import { Processor } from '@nestjs/bullmq';\n@Processor('audio')\nexport class AudioConsumer {}\n", ["SUBSCRIBES audio @2"]),
    ("agenda", "a.js", "const agenda = new Agenda();\nagenda.define('send report', f);\nagenda.define('send-report', f);\nagenda.every('1 day', 'send-report');\n",
     ["SUBSCRIBES send-report @3", "PUBLISHES send-report @4"]),
    ("hangfire", "A.cs", 'using Hangfire;\nclass A { void F() {\n BackgroundJob.Enqueue<IMailer>(x => x.Send());\n RecurringJob.AddOrUpdate<Cleanup>("c", x => x.Run(), Cron.Daily); } }\n',
     ["PUBLISHES IMailer @3", "PUBLISHES Cleanup @4"]),
    ("quartz", "A.cs", "using Quartz;\nclass HelloJob : IJob { }\nclass B { void F() { var j = JobBuilder.Create<HelloJob>().Build(); } }\n",
     ["SUBSCRIBES HelloJob @2", "PUBLISHES HelloJob @3"]),
    ("quartz in Java", "A.java", "import org.quartz.*;\nclass HelloJob implements Job {}\nclass B { void f() { newJob(HelloJob.class).build(); } }\n",
     ["SUBSCRIBES HelloJob @2", "PUBLISHES HelloJob @3"]),
    ("laravel", "A.php", "<?php\nuse Illuminate\\Contracts\\Queue\\ShouldQueue;\nclass SendMail implements ShouldQueue { function f() { OtherJob::dispatch($x); } }\n",
     ["SUBSCRIBES SendMail @3", "PUBLISHES OtherJob @3"]),
    ("oban", "a.ex", "defmodule MyApp.Mailer do\n  use Oban.Worker, queue: :mail\n  def f, do: MyApp.Other.new(%{id: 1}) |> Oban.insert()\nend\n",
     ["SUBSCRIBES Mailer @1", "PUBLISHES Other @3"]),
    ("asynq", "a.go", 'package a\nimport "github.com/hibiken/asynq"\nfunc f() {\n t := asynq.NewTask("email:welcome", b)\n mux.HandleFunc("email:welcome", h)\n}\n',
     ["PUBLISHES email:welcome @4", "SUBSCRIBES email:welcome @5"]),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "rows"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_jobs(stated, path, text, rows):
    assert stated("jobs", path, text) == sorted(rows)
