import { readdirSync, readFileSync } from 'node:fs'
import { connect } from '@aval/db'
import pg from 'pg'
import { startChild } from './children.ts'
import { openCluster } from './cluster.ts'
import { settle } from './database.sql.ts'
import { NOW } from './dates.ts'
import { payDay } from './day.ts'

const members = Number(process.argv[2] ?? 200000)
const options: any = {
  members,
  shape: process.argv[3] ?? 'power',
  seed: 1,
  thin: false,
  readers: false,
  registrations: false,
  check: false,
  folder: undefined,
  keep: true,
  databaseUrl: undefined,
}
const cluster = await openCluster(options)
try {
  const child = startChild('load-child.ts')
  await child.ask({
    ownerUrl: cluster.ownerUrl,
    serverUrl: cluster.serverUrl,
    gatewayUrl: cluster.gatewayUrl,
    members,
    shape: options.shape,
    seed: 1,
    thin: false,
  })
  await child.end()
  const c = new pg.Client({ connectionString: cluster.ownerUrl })
  await c.connect()
  await settle(c as never)
  await c.query('ALTER DATABASE ' + c.database + ' SET log_min_duration_statement = 15')
  await c.end()
  const s = connect(cluster.serverUrl)
  console.log(await payDay(s.db, NOW))
  await s.close()
} finally {
  await cluster.stop()
  console.log(cluster.place)
}
