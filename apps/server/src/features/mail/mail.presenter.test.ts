import { LOCALES } from '@aval/contract'
import type { Region } from '@aval/contract/regions'
import { describe, expect, it } from 'vitest'
import { readerOf } from '../../core/messages.ts'
import { escapeHtml, renderMail } from './mail.presenter.ts'
import { type MailTemplate, readContent, type TemplateName, templates } from './mail.templates.ts'

const WALLET = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'
const GROUPED = 'TXYZ opYR dj2D 9XRt bG41 1XZZ 3kM5 VkAe Bf'
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const TXID = 'ab'.repeat(32)
const EXPLORER = `https://tronscan.org/#/transaction/${TXID}`
const RESET = 'https://office.example/auth/reset-password#a-b_c'
const CHAT = 'https://office.example/dashboard?chat=open'
const notMeUrl = 'https://office.example/auth/not-me#a.b-c_d?x=1&y=2'
const at = new Date('2026-05-03T15:04:00Z')
const coolsUntil = new Date('2026-05-04T16:04:00Z')
const nasty = `<b>"Tom" & 'Ann'</b>`

const money = { amount: '1000000000', fee: '1000000', arrives: '999000000', wallet: WALLET }
const MONEY = ['$1,000.00', '$1.00', '$999.00', GROUPED]
const traces = { at, device: CHROME, ip: '203.0.113.7', notMeUrl }
const TRACES = ['10:04', 'America/Bogota, GMT-5', '203.0.113.7', notMeUrl]

type Case<Name extends TemplateName> = {
  params: Extract<MailTemplate, { template: Name }>['params']
  facts: readonly string[]
}

/** Every message with all its parameters, and what must be read in it. */
const CASES: { readonly [Name in TemplateName]: Case<Name> } = {
  withdrawal_code: {
    params: { code: '0123456', unprovenFor: nasty, ...money, ...traces },
    facts: ['0123456', nasty, ...MONEY, ...TRACES],
  },
  welcome: {
    params: { username: nasty, link: 'https://office.example/dashboard', at },
    facts: [nasty, 'https://office.example/dashboard', '10:04', 'America/Bogota, GMT-5'],
  },
  deposit_received: {
    params: {
      ...{ amount: '300000000', missing: '403500000', at, txid: TXID, link: EXPLORER },
      until: new Date('2027-03-24T16:30:00Z'),
    },
    facts: ['$300.00', '$403.50', TXID, EXPLORER, '10:04', '11:30'],
  },
  investment_credited: {
    params: {
      ...{ amount: '1000000000', fee: '5000000', surplus: '96000000', principal: '1500000000' },
      ...{ at, unlocksAt: new Date('2027-03-24T15:04:00Z'), txid: TXID, link: EXPLORER },
      payments: [
        { amount: '400000000', txid: TXID },
        { amount: '700000000', txid: 'second' },
      ],
      fromBalance: '1000000',
    },
    facts: [
      '$400.00',
      '$700.00',
      'second',
      '$1.00',
      '$1,000.00',
      '$5.00',
      '$96.00',
      '$1,500.00',
      '2027',
      TXID,
      EXPLORER,
      '10:04',
    ],
  },
  investment_expired: {
    params: { amount: '700000000', toBalance: '300000000', at },
    facts: ['$700.00', '$300.00', '10:04'],
  },
  withdrawal_approved: { params: { ...money, at, number: 71 }, facts: ['71', ...MONEY, '10:04'] },
  withdrawal_sent: { params: { ...money, at, number: 71 }, facts: ['71', ...MONEY, '10:04'] },
  withdrawal_requested: {
    params: { ...money, ...traces, number: '71' },
    facts: ['71', ...MONEY, ...TRACES],
  },
  withdrawal_completed: {
    params: { ...money, at, number: 71, txid: TXID, link: EXPLORER },
    facts: ['71', ...MONEY, '10:04', 'America/Bogota, GMT-5', TXID, EXPLORER],
  },
  withdrawal_refused: {
    params: { amount: '20500000', number: '72', reason: nasty },
    facts: ['$20.50', '72', nasty],
  },
  withdrawal_failed: {
    params: { amount: '20000001', number: '73', reason: nasty },
    facts: ['$20.000001', '73', nasty],
  },
  withdrawal_cancelled: { params: { amount: '20000000', number: '74' }, facts: ['$20.00', '74'] },
  email_code: {
    params: { code: '7654321', unprovenFor: nasty, ...traces, notMeUrl: undefined },
    facts: ['7654321', nasty, ...TRACES.filter((fact) => fact !== notMeUrl)],
  },
  profile_code: {
    params: {
      code: '7654321',
      unprovenFor: nasty,
      change: 'both',
      newEmail: "new'mail@b.co",
      newWallet: WALLET,
      ...traces,
    },
    facts: ['7654321', nasty, "new'mail@b.co", GROUPED, ...TRACES],
  },
  wallet_changed: {
    params: { wallet: WALLET, previous: WALLET.replace('TX', 'TA'), coolsUntil, ...traces },
    facts: [GROUPED, GROUPED.replace('TX', 'TA'), '11:04', ...TRACES],
  },
  email_changed: {
    params: { email: 'new@example.com', previous: 'old@example.com', coolsUntil, ...traces },
    facts: ['new@example.com', 'old@example.com', '11:04', ...TRACES],
  },
  password_changed: { params: { coolsUntil, ...traces }, facts: ['11:04', ...TRACES] },
  password_reset_code: {
    params: { code: '1111111', resetUrl: RESET, ...traces },
    facts: ['1111111', RESET, ...TRACES],
  },
  two_factor_changed: { params: { on: false, coolsUntil, ...traces }, facts: ['11:04', ...TRACES] },
  recovery_codes_renewed: { params: traces, facts: TRACES },
  member_key_changed: {
    params: { kind: 'passkey_only_lost', coolsUntil, ...traces },
    facts: ['11:04', ...TRACES],
  },
  member_key_decided: {
    params: { outcome: 'waits', usableFrom: coolsUntil, ...traces },
    facts: ['11:04', ...TRACES],
  },
  passkey_changed: { params: { added: true, coolsUntil, ...traces }, facts: ['11:04', ...TRACES] },
  signed_in_new: { params: traces, facts: TRACES },
  sessions_ended: { params: traces, facts: TRACES },
  data_downloaded: { params: traces, facts: TRACES },
  account_frozen: { params: { reason: nasty, at }, facts: [] },
  account_unfrozen: { params: { at }, facts: [] },
  terms_changed: { params: { change: 'extra_points', percent: '1.5', at }, facts: [] },
  phone_corrected: { params: { phone: '+584140000001', ...traces }, facts: ['+584140000001', ...TRACES] },
  correction_code: { params: { code: '7654321', unprovenFor: nasty, at }, facts: ['7654321', nasty] },
  correction_asked: { params: { email: 'a…@b.co', ...traces }, facts: ['a…@b.co', ...TRACES] },
  release_asked: { params: { until: coolsUntil, ...traces }, facts: TRACES },
  account_closed: {
    params: {
      username: nasty,
      years: 10,
      keptUntil: new Date('2036-05-03T15:04:00Z'),
      contact: 'office@example.com',
      at,
      device: CHROME,
      ip: '203.0.113.7',
    },
    facts: [nasty, '10', '2036', 'office@example.com', '203.0.113.7'],
  },
  account_attacked: {
    params: { count: 300, withPassword: true, at, link: 'https://office.example/security' },
    facts: ['300', '10:04', 'https://office.example/security'],
  },
  support_answer: {
    params: {
      answer: `Already sent ${nasty}\n\nSee you`,
      question: `Where is it? ${nasty}\nThanks`,
      link: CHAT,
    },
    facts: [`Already sent ${nasty}`, 'See you', nasty, 'Thanks', CHAT],
  },
  operator_invited: {
    params: { by: nasty, role: 'admin', username: 'ana', expiresAt: at, invitationUrl: RESET },
    facts: [nasty, 'ana', RESET],
  },
  operator_alert: {
    params: { subject: 'Reserves do not match', text: `Line one ${nasty}\n\nLine two` },
    facts: ['Reserves do not match', nasty, 'Line two'],
  },
}

/** An amount as it is written in Spanish; every other fact as it is. */
const inSpanish = (fact: string) =>
  /^\$[\d,.]+$/.test(fact) ? fact.replace(/[,.]/g, (mark) => (mark === ',' ? '.' : ',')) : fact

const names = Object.keys(templates) as TemplateName[]
const all = LOCALES.flatMap((locale) => names.map((name) => [name, locale] as const))
/** As it comes back out of the database. */
const stored = (params: unknown): unknown => JSON.parse(JSON.stringify(params))
const write = (
  template: TemplateName,
  params: unknown,
  locale: 'es' | 'en' = 'en',
  region: Region | null = null,
) => renderMail(readContent(template, stored(params)), readerOf(locale, region), 'America/Bogota')

describe('every message', () => {
  it.each(all)('%s in %s says all its parameters, in both bodies', (name, locale) => {
    const { params, facts } = CASES[name]
    const { subject, text, html } = write(name, params, locale)
    for (const english of facts) {
      const fact = locale === 'es' ? inSpanish(english) : english
      expect(text).toContain(fact)
      expect(html).toContain(escapeHtml(fact))
    }
    expect(subject).toMatch(/^.{10,200}$/)
    expect(html).toContain(`<html lang="${locale}">`)
    for (const part of [subject, text, html]) expect(part).not.toMatch(/undefined|null|NaN|\[object|\{\w+\}/)
  })

  it.each(all)('%s in %s shows no HTML from outside, and loads nothing', (name, locale) => {
    const { html } = write(name, CASES[name].params, locale)
    expect(html).not.toContain('<b>')
    expect(html).not.toMatch(/<(img|script|link|iframe|form)\b|url\(|@import|src=/i)
  })

  it.each(names)('%s is not the same in both languages', (name) => {
    const [es, en] = [write(name, CASES[name].params, 'es'), write(name, CASES[name].params, 'en')]
    expect(es.text).not.toBe(en.text)
    expect(es.html).not.toBe(en.html)
  })

  it.each(names)('%s is refused with other parameters than its own', (name) => {
    expect(() => write(name, { ...CASES[name].params, surprise: 1 })).toThrow('surprise')
    expect(() => write(name, {})).toThrow()
  })
})

it('the first wallet was registered, and did not change', () => {
  const { params } = CASES.wallet_changed
  expect(write('wallet_changed', { ...params, previous: '' }, 'es').subject).toBe('Registraste tu billetera')
  expect(write('wallet_changed', params, 'es').subject).toBe('La billetera de tu cuenta cambió')
})

it.each([
  [null, '$1.000,00'],
  ['es-MX', '$1,000.00'],
] as const)('figures are written as in the reader’s region, %s', (region, amount) => {
  const { subject, text, html } = write(
    'withdrawal_cancelled',
    { amount: '1000000000', number: '7' },
    'es',
    region,
  )
  for (const part of [subject, text, html]) expect(part).toContain(amount)
})

describe('the time zone', () => {
  it('is the reader’s, and said once, however many times there are', () => {
    const { text, html } = write('wallet_changed', CASES.wallet_changed.params, 'es')
    for (const part of [text, html]) expect(part.split('GMT')).toHaveLength(2)
    expect(text).toContain('Las horas son de America/Bogota, GMT-5.')
  })

  it('is not said where no time is', () => {
    expect(write('withdrawal_cancelled', CASES.withdrawal_cancelled.params).text).not.toContain('Bogota')
  })
})

describe('a second factor that operators turned off', () => {
  it.each(LOCALES)('is described in %s as their doing', (locale) => {
    const { text } = write('two_factor_changed', { on: false, byOperator: true, at }, locale)
    expect(text).toContain(locale === 'es' ? 'comprobar tu identidad' : 'checking who you are')
    expect(text).not.toContain('undefined')
  })
})

describe('a code that withdraws any amount', () => {
  it.each([
    ['es', 'Tu código para retirar cualquier monto', 'todo lo que tienes disponible', 'cualquier monto a'],
    ['en', 'Your code to withdraw any amount', 'everything available in your account', 'any amount to this'],
  ] as const)('says in %s that it takes everything to the wallet, and which that is', (locale, ...words) => {
    const { subject, text } = write('withdrawal_code', { code: '1234567', wallet: WALLET, at }, locale)
    const [title, everything, terms] = words
    expect(subject).toBe(title)
    for (const part of [everything, terms, GROUPED]) expect(text).toContain(part)
  })
})

describe('a message with few parameters', () => {
  it('of a code says no more than it knows', () => {
    const { text } = write('password_reset_code', { code: '1234567', at }, 'es')
    expect(text).toContain('Tu código: 1234567\nVale 10 minutos y una sola vez.')
    expect(text).not.toMatch(/Billetera|Monto|Dispositivo|IP/)
    expect(text).toContain('¿No fuiste tú?\nIgnora este mensaje')
  })

  it('of a first wallet names no previous one', () => {
    const { text } = write('wallet_changed', { wallet: WALLET, previous: '', at }, 'es')
    expect(text).not.toContain('Billetera anterior')
    expect(text).toContain('Cambia tu contraseña cuanto antes.')
  })
})

describe('an answer of support', () => {
  it('quotes what it is an answer to, line by line', () => {
    const { text, html } = write('support_answer', { answer: 'Yes.', question: 'One\n\nTwo', link: CHAT })
    expect(text).toContain('Yes.\n\nYour message:\n> One\n> \n> Two\n')
    expect(html).toContain('One<br><br>Two')
  })

  it('quotes nothing where nothing was asked', () => {
    const { text } = write('support_answer', { answer: 'One more thing.', link: CHAT })
    expect(text).not.toContain('Your message')
    expect(text).not.toContain('>')
  })

  it('is whole, however long a line is, and says nothing of who did it', () => {
    const answer = `${'a'.repeat(1990)} end`
    const { text } = write('support_answer', { answer, question: 'a'.repeat(2000), link: CHAT }, 'es')
    expect(text).toContain(answer)
    expect(text).toContain('a'.repeat(2000))
    expect(text).not.toContain('¿No fuiste tú?')
  })
})

describe('text from outside', () => {
  it('stays on one line of a subject, and is cut', () => {
    const { subject } = write('operator_alert', {
      subject: `a\r\nBcc: thief@example.com${'x'.repeat(500)}`,
      text: '',
    })
    expect(subject).toMatch(/^a Bcc: thief/)
    expect(subject).toHaveLength(200)
  })

  it('is cut, and the mail is sent', () => {
    const { text } = write('operator_alert', { subject: 'a', text: 'x\n'.repeat(20_000) })
    expect(text.length).toBeLessThan(20_000)
  })

  it('loses invisible characters', () => {
    const { text } = write('email_changed', { email: 'a\u202eb\u200b@example.com', previous: 'o@x.com', at })
    expect(text).toContain('New e-mail: ab@example.com\n')
  })

  it.each([
    [CHROME, 'Chrome en Windows'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari en iPhone'],
    ['Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36', 'Chrome en Android'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15) Gecko/20100101 Firefox/143.0', 'Firefox en macOS'],
    ['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge en Windows'],
    ['curl/8.5.0', 'curl'],
    ['', 'Un dispositivo que no reconocemos'],
    ['Llama al 555 para proteger tu dinero', 'Un dispositivo que no reconocemos'],
  ])('such as the user agent %j is called %s', (device, name) => {
    const { text, html } = write('password_changed', { at, device }, 'es')
    expect(text).toContain(`Dispositivo: ${name}\n`)
    expect(html).toContain(`>${name}</td>`)
  })

  it.each([['javascript:alert(1)'], ['data:text/html,x'], ['/relative']])('is no link: %s', (url) => {
    expect(() => write('password_changed', { at, notMeUrl: url })).toThrow()
  })
})

describe('amounts', () => {
  it.each([['50.00'], ['-1'], ['1e6'], [''], [50]])('are whole micro-USDT as text, not %j', (amount) => {
    expect(() => write('withdrawal_cancelled', { amount, number: '1' })).toThrow()
  })
})
