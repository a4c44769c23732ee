import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Config } from '../../config.ts'
import type { Context } from '../../core/context.ts'
import { readSmtpUrl } from '../../core/mail-settings.ts'
import { parts } from '../../features.ts'
import type { Api } from '../../http/api.ts'
import { buildServer } from '../../http/server.ts'
import { testConfig } from '../../testing/server.ts'
import { compose } from './mail.presenter.ts'
import { storeInOutbox } from './outbox.ts'

const folder = await mkdtemp(join(tmpdir(), 'aval-mail-'))
const opened: Api[] = []

async function serve(overrides: Partial<Config>): Promise<Api> {
  const config = { ...testConfig('postgres://nobody@127.0.0.1:1/none'), dataDir: folder, ...overrides }
  const api = await buildServer({ config } as Context, [], parts)
  opened.push(api)
  return api
}

async function keep(memberId: bigint, id: bigint, minute: number, to: string, subject: string) {
  const createdAt = new Date(Date.UTC(2026, 4, 3, 15, minute))
  const from = { name: 'Aval', address: 'no-reply@localhost' }
  const html = `<!doctype html><html><head></head><body><a href="https://x.example">${id}</a><script>alert(1)</script></body></html>`
  const envelope = { from, to, messageId: `<aval-${id}@localhost>`, locale: 'es', createdAt }
  const raw = await compose(envelope, { subject, text: `Mensaje <${id}>`, html })
  await storeInOutbox(folder, { memberId, id, createdAt, from: from.address, to, raw })
}

const open = await serve({})
afterAll(async () => {
  for (const api of opened) await api.close()
  await rm(folder, { recursive: true, force: true })
})

const THIRD = '20260503T150100000Z-7-10'
const names = async (search = '') => {
  const answer = await open.inject({ url: `/dev/mail.json${search}` })
  return (answer.json() as { name: string }[]).map(({ name }) => name)
}

describe('the mail of the development network', () => {
  it('is empty before anything was sent', async () => {
    expect(await names()).toEqual([])
    expect((await open.inject({ url: '/dev/mail' })).body).toContain('Todavía no hay mensajes')
  })

  it('is listed newest first, and by address', async () => {
    await keep(7n, 9n, 1, 'ana@example.com', 'Dos')
    await keep(7n, 10n, 1, 'ana@example.com', 'Tres')
    await keep(8n, 3n, 0, 'olga@example.com', 'Uno & <b>más</b>')
    await writeFile(join(folder, 'outbox', '.20260503T150200000Z-7-11.draft'), 'half a mess')
    await writeFile(join(folder, 'outbox', 'notes.eml'), 'To: nobody@example.com')
    const [third, second, first] = [THIRD, '20260503T150100000Z-7-9', '20260503T150000000Z-8-3']
    expect(await names()).toEqual([third, second, first])
    expect(await names('?to=ANA@example.com')).toEqual([third, second])
    expect(await names('?to=nobody@example.com')).toEqual([])
    expect((await open.inject({ url: '/dev/mail.json?to=olga@example.com' })).json()).toEqual([
      {
        name: first,
        to: 'olga@example.com',
        subject: 'Uno & <b>más</b>',
        at: '2026-05-03T15:00:00.000Z',
        text: 'Mensaje <3>\n',
      },
    ])
  })

  it('is a page in the language that is asked for', async () => {
    const page = (language: string) =>
      open.inject({ url: '/dev/mail/', headers: { 'accept-language': language } })
    const [es, en] = [await page('es'), await page('en')]
    expect(es.body).toContain('<html lang="es">')
    expect(en.body).toContain('The 3 most recent')
    expect(es.body).toContain('Uno &amp; &lt;b&gt;más&lt;/b&gt;')
    const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
    expect(es.headers).toMatchObject(headers)
  })

  it('shows a message in a frame that runs nothing', async () => {
    const { body, headers } = await open.inject({ url: `/dev/mail/${THIRD}` })
    expect(body).toContain('ana@example.com')
    expect(body).toContain('&lt;aval-10@localhost&gt;')
    expect(body).toContain('<pre>Mensaje &lt;10&gt;')
    expect(body).not.toContain('<script')
    const sandbox = 'allow-popups allow-popups-to-escape-sandbox'
    expect(body).toMatch(new RegExp(`<iframe [^>]*sandbox="${sandbox}" srcdoc="&lt;!doctype`))
    expect(headers['content-security-policy']).toContain("script-src 'self'")
  })

  it.each([
    'notes',
    '.20260503T150200000Z-7-11.draft',
    '..%2f..%2fpackage',
    `%2e%2e%2foutbox%2f${THIRD}`,
    `${THIRD}.eml`,
    '20260503T150100000Z-7-99',
    `${THIRD}%00`,
  ])('has no message %s', async (name) => {
    expect((await open.inject({ url: `/dev/mail/${name}` })).statusCode).toBe(404)
  })
})

describe('anywhere else', () => {
  it.each([
    ['on a public network', { network: 'nile' } as const],
    ['where mail goes to a server', { smtp: readSmtpUrl('smtp://mail.example') }],
  ])('%s there is no such page, and the app is not served in its place', async (_name, overrides) => {
    const webDist = join(folder, 'web')
    await mkdir(webDist, { recursive: true })
    await writeFile(join(webDist, 'index.html'), '<title>office</title>')
    const api = await serve({ webDist, ...overrides })
    for (const url of ['/dev/mail', '/dev/mail.json', `/dev/mail/${THIRD}`]) {
      const answer = await api.inject({ url })
      expect([answer.statusCode, answer.body.includes('office')]).toEqual([404, false])
    }
    expect((await api.inject({ url: '/dashboard' })).body).toContain('office')
  })

  it('beside the app it is served', async () => {
    const api = await serve({ webDist: join(folder, 'web') })
    expect((await api.inject({ url: '/dev/mail.json' })).json()).toHaveLength(3)
  })
})
