import { describe, expect, it } from 'vitest'
import { suiteDevnet, TO } from '../../testing.ts'

const devnet = await suiteDevnet()

async function page(path: string, language = 'en'): Promise<{ status: number; text: string }> {
  const response = await fetch(devnet.url + path, { headers: { 'accept-language': language } })
  return { status: response.status, text: await response.text() }
}

function submit(fields: Record<string, string>): Promise<Response> {
  return fetch(`${devnet.url}/checkout/pay`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'accept-language': 'en' },
    body: new URLSearchParams(fields),
  })
}

/** The hidden and visible values of the page's form number `index`. */
function formOf(text: string, index: number): Record<string, string> {
  const form = text.split('<form method="post"')[index + 1] ?? ''
  const inputs = form.split('</form>')[0]?.matchAll(/<input[^>]* name="(\w+)"[^>]* value="([^"]*)"/g) ?? []
  return Object.fromEntries([...inputs].map((match) => [match[1] ?? '', match[2] ?? '']))
}

const checkout = `/checkout?to=${TO}&amount=1005.00&invoice=INV-7`

describe('the checkout', () => {
  it('pays the invoice once, however often the button is pressed, and follows it until it is confirmed', async () => {
    const shown = await page(checkout)
    expect(shown.text).toContain('Pay 1,005.00 USDT')
    expect(shown.text).toContain('INV-7')
    expect(shown.text).toContain('<span>TR7N</span><span>Hqje</span>')
    const fields = formOf(shown.text, 0)
    const answers = await Promise.all([submit(fields), submit(fields), submit(fields)])
    const places = answers.map((answer) => answer.headers.get('location') ?? '')
    expect(new Set(places).size).toBe(1)
    expect(answers[0]?.status).toBe(303)
    const place = places[0] ?? ''
    expect((await page(place)).text).toMatch(/http-equiv="refresh"[\s\S]*Waiting for a block/)
    await devnet.mine(2)
    expect((await page(place)).text).toContain('1 of 3 confirmations')
    await devnet.mine(2)
    const done = await page(place)
    expect(done.text).toContain('Payment confirmed')
    expect(done.text).not.toContain('http-equiv="refresh"')
    expect(await devnet.wallet.usdtOf(TO)).toBe(1_005_000_000n)
  })

  it('is a new payment when the page is loaded again, and takes another amount', async () => {
    const before = await devnet.wallet.usdtOf(TO)
    await submit({ ...formOf((await page(checkout)).text, 1), amount: '1000' })
    await submit({ ...formOf((await page(checkout)).text, 1), amount: '0,5' })
    await devnet.mine()
    expect((await devnet.wallet.usdtOf(TO)) - before).toBe(1_000_500_000n)
  })

  it.each(['', '0', '-5', '1.0000001', '1e9', 'all of it'])(
    'asks again for the amount %j, says how to write it, and keeps what was typed',
    async (amount) => {
      const answer = await submit({ ...formOf((await page(checkout)).text, 1), amount })
      const text = await answer.text()
      expect(answer.status).toBe(400)
      expect(text).toContain('Write an amount above 0')
      expect(text).toContain(`value="${amount}" aria-invalid="true"`)
      expect(text).toContain('Pay 1,005.00 USDT')
    },
  )

  it('without an amount is the faucet that an address page leads to', async () => {
    const link =
      /href="(\/checkout\?[^"]+)">Send test USDT here/.exec((await page(`/address/${TO}`)).text)?.[1] ?? ''
    const before = await devnet.wallet.usdtOf(TO)
    const shown = await page(link.replaceAll('&amp;', '&'))
    expect(shown.status).toBe(200)
    await submit({ ...formOf(shown.text, 0), amount: '25' })
    await devnet.mine(1)
    expect((await devnet.wallet.usdtOf(TO)) - before).toBe(25_000_000n)
  })

  it('refuses an address with a typing error', async () => {
    const wrong = await page(`/checkout?to=${TO.slice(0, -1)}x&amount=5`)
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('not a valid Tron address')
  })

  it('speaks Spanish unless English is asked for', async () => {
    expect((await page(checkout, 'es-CO,es;q=0.9')).text).toContain('Pagar 1,005.00 USDT')
    expect((await page(checkout, 'fr')).text).toContain('<html lang="es">')
    expect((await page(`${checkout}&lang=en`, 'es')).text).toContain('<html lang="en">')
  })

  it('shows text that comes from outside as text', async () => {
    const { text } = await page(`/checkout?to=${TO}&amount=5&invoice=${encodeURIComponent('<script>"\'&')}`)
    expect(text).not.toContain('<script')
    expect(text).toContain('&#60;script&#62;&#34;&#39;&#38;')
  })
})

describe('the explorer', () => {
  it('shows the newest blocks and transfers, and every page says that no money is real', async () => {
    const { txid } = await devnet.post('/dev/pay', { to: TO, amount: '42' })
    await devnet.mine()
    const { number } = devnet.chain.head()
    for (const [path, part] of [
      ['/', '42.00'],
      [`/tx/${String(txid)}`, 'transfer 42.00 to'],
      [`/address/${TO}`, '42.00'],
      [`/block/${number}`, String(txid).slice(0, 8)],
      [checkout, 'TRC20'],
    ] as const) {
      const shown = await page(path)
      expect(shown.status).toBe(200)
      expect(shown.text).toContain(part)
      expect(shown.text).toContain('There is no real money here.')
      expect(shown.text).not.toContain('<script')
    }
  })

  it('marks what failed and what is another token', async () => {
    const failed = await devnet.post('/dev/fault', { kind: 'failed_transfer', to: TO, amount: '5' })
    const other = await devnet.post('/dev/fault', { kind: 'wrong_token', to: TO, amount: '5' })
    await devnet.mine()
    expect((await page(`/tx/${String(failed['txid'])}`)).text).toContain('Failed: REVERT')
    expect((await page(`/tx/${String(other['txid'])}`)).text).toContain('another token, not USDT')
  })

  it('finds transactions, addresses and blocks by what is typed', async () => {
    expect((await page(`/search?q=${TO}`)).text).toContain('Balance')
    expect((await page('/search?q=%201%20')).text).toContain('Block 1')
    expect((await page('/search?q=nothing')).status).toBe(404)
    expect((await page('/search')).status).toBe(404)
  })

  it.each(['/tx/00', '/address/T', '/block/-1', '/block/99999999', `/tx/${'0'.repeat(64)}`, '/block/0x1'])(
    'has no page %s',
    async (path) => {
      expect((await page(path)).status).toBe(404)
    },
  )
})
