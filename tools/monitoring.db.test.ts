/** The alert rules and dashboards under `deploy/` ask for what a running product exports. `npm run alerts` shows them their cases. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTestDatabase } from '@aval/db/testing'
import { beforeAll, expect, inject, test } from 'vitest'
import { root } from './core/config.ts'
import { alertsOf, exportedBy, expressionsOf, faultsOf, metricsIn } from './monitoring.rules.ts'
import { freePort } from './testing/free-port.ts'

const read = (file: string): string => readFileSync(join(root, 'deploy', file), 'utf8')
const rules = read('prometheus/aval.rules.yml')
const alerts = alertsOf(rules)

let exported: ReturnType<typeof exportedBy>
beforeAll(async () => {
  const database = await createTestDatabase(inject('ownerUrl'))
  const [port, metrics] = [await freePort(), await freePort()]
  const child = fork(join(root, 'apps/server/src/main.ts'), {
    env: {
      ROLE: 'api',
      PORT: String(port),
      METRICS_PORT: String(metrics),
      DATABASE_URL: database.serverUrl,
      JWT_KEY: 'ab'.repeat(32),
      CAPTCHA_KEY: 'cd'.repeat(32),
      SEAL_KEY: 'ef'.repeat(32),
      LOG_LEVEL: 'silent',
    },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  try {
    expect((await once(child, 'message'))[0]).toMatchObject({ ready: true })
    // A call, so that there is a sample of calls.
    await (await fetch(`http://127.0.0.1:${port}/api/health/ready`)).text()
    exported = exportedBy(await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text())
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
    await database.drop()
  }
})

test('every metric and label of an alert is exported, and its runbook is there', () => {
  expect(alerts.length).toBe(rules.split('- alert:').length - 1)
  expect(alerts.length).toBeGreaterThan(20)
  const faults = alerts.flatMap(({ name, expr, runbook }) => [
    ...(metricsIn(expr).length === 0 ? [`${name}: asks for nothing`] : []),
    ...faultsOf(expr, exported).map((fault) => `${name}: ${fault}`),
    ...(existsSync(join(root, runbook)) && runbook.startsWith('docs/runbooks/')
      ? []
      : [`${name}: ${runbook} is missing`]),
  ])
  expect(faults).toEqual([])
})

test('every metric and label of the dashboard is exported', () => {
  const expressions = expressionsOf(JSON.parse(read('grafana/aval.json')))
  expect(expressions.length).toBeGreaterThan(25)
  expect(expressions.flatMap((expr) => faultsOf(expr, exported))).toEqual([])
})

test('each alert is shown its case', () => {
  const cases = read('prometheus/aval.rules.test.yml')
  expect(alerts.map(({ name }) => name).filter((name) => !cases.includes(`alertname: ${name}\n`))).toEqual([])
})

test.each([
  ['aval_reserve_stopped == 1', 'nothing exports aval_reserve_stopped'],
  [
    'rate(http_requests_duration_seconds_count{status=~"5.."}[5m])',
    'nothing exports http_requests_duration_seconds_count',
  ],
  ['time() - max by (state) (aval_jobs_due)', 'nothing exports aval_jobs_due'],
  ['aval_payout_runs{state="hold"} > 0', 'aval_payout_runs has no state hold'],
  [
    'sum by (code) (rate(http_request_duration_seconds_count{code=~"5.."}[5m]))',
    'http_request_duration_seconds_count has no label code',
  ],
])('a wrong name is found: %s', (expr, fault) => {
  expect(faultsOf(expr, exported)).toEqual([fault])
})
