import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { useCurrentUserQuery } from '../api/user.ts'
import { ProfilePage } from '../features/identity/profile/components/ProfilePage.tsx'
import { InvestDialog } from '../features/investments/components/InvestDialog.tsx'
import { WithdrawalsPage } from '../features/withdrawals/components/WithdrawalsPage.tsx'
import * as figures from '../testing/figures.ts'
import { button, field, put, show } from '../testing/page.tsx'
import { type FakeServer, fakeServer, held, lost, refused } from '../testing/server.ts'

let server: FakeServer
beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
  server = fakeServer()
  server.on('GET auth/user/', figures.user)
  server.on('GET auth/security/', { cools_until: null, cooling_hours: 24, locked: false })
  server.on('GET plans/terms/', figures.investmentTerms)
  server.on('GET plans/invoices/', [])
  server.on('GET plans/invoices/INV1/', figures.invoiceStatus)
  server.on('GET withdrawals/terms/', figures.withdrawalTerms)
  server.on('GET withdrawals/withdrawals/', figures.pageOf())
})

/** A page, with the calls of the shell. */
function WithUser({
  children,
}: {
  children: (user: ReturnType<typeof useCurrentUserQuery>['data']) => ReactNode
}) {
  return children(useCurrentUserQuery().data)
}

const AMOUNT = 'How much do you want to invest?'

interface FormCase {
  noun: string
  part: () => ReactNode
  /** Up to the last press. */
  fill: (user: UserEvent) => Promise<void>
  change: (user: UserEvent) => Promise<void>
  submit: string | RegExp
  call: string
  bodies: readonly [object, object]
  answer: unknown
  typed: readonly (readonly [name: string | RegExp, text: string])[]
  stale: string
}

/** From the amount to the review. */
const goOn = (user: UserEvent) => user.click(button('Continue'))

const withdrawalCode = async (user: UserEvent) => {
  server.on('POST withdrawals/withdrawals/create-code/', () => Response.json('The code is on its way.'))
  await user.click(await screen.findByRole('button', { name: /^Generate/ }))
  await waitFor(() => expect(document.activeElement).toBe(field('Secret code')))
}

const invest = () => (
  <WithUser>{(user) => <InvestDialog user={user} start="amount" onClose={() => undefined} />}</WithUser>
)

const INVESTMENT = {
  noun: 'investments',
  part: invest,
  change: (user: UserEvent) => put(user, AMOUNT, '60'),
  submit: 'Invest',
  call: 'POST plans/create-investment-payment/',
  stale: 'GET auth/user/',
}
const REQUEST = { amount: '100', wallet_address: figures.WALLET, otp: '123456' }

/** Forms of members that move money under an idempotency key. */
const FORMS: Record<string, FormCase> = {
  'an investment': {
    ...INVESTMENT,
    fill: (user) => put(user, AMOUNT, '1,250.50'),
    bodies: [{ amount: '1250.50' }, { amount: '60' }],
    answer: figures.investmentPayment,
    typed: [[AMOUNT, '1,250.50']],
  },
  'an investment that the balance pays': {
    ...INVESTMENT,
    fill: async (user) => {
      await screen.findByRole('textbox', { name: AMOUNT })
      await user.click(screen.getByRole('checkbox', { name: /Pay with my passive balance/ }))
    },
    bodies: [
      { amount: '120.50', payPasive: true },
      { amount: '60', payPasive: true },
    ],
    answer: { message: 'Your investment grew.' },
    typed: [[AMOUNT, '120.50']],
  },
  'a withdrawal': {
    noun: 'withdrawals',
    part: () => <WithUser>{() => <WithdrawalsPage />}</WithUser>,
    fill: async (user) => {
      await screen.findByText(/You can withdraw/)
      await put(user, 'Amount', '100')
      await goOn(user)
      await withdrawalCode(user)
      await put(user, 'Secret code', '123 4567')
      await put(user, 'Code from your app', '123456')
    },
    change: (user) => put(user, 'Secret code', '7654321'),
    submit: /^Withdraw \$/,
    call: 'POST withdrawals/withdrawals/',
    bodies: [
      { ...REQUEST, used_code: '1234567' },
      { ...REQUEST, used_code: '7654321' },
    ],
    answer: figures.withdrawal(),
    typed: [
      ['Secret code', '123 4567'],
      ['Code from your app', '123456'],
    ],
    stale: 'GET withdrawals/withdrawals/',
  },
}

async function reach(form: FormCase): Promise<UserEvent> {
  const user = await show(form.part(), { texts: [form.noun] })
  await form.fill(user)
  return user
}
const send = (user: UserEvent, form: FormCase, reply: unknown) => {
  server.on(form.call, reply)
  return user.click(button(form.submit))
}
/** Calls of the form itself; those of a code begin alike. */
const callsOf = ({ call }: FormCase) =>
  server.calls(call).filter(({ method, path }) => `${method} ${path}` === call)

describe.each(Object.entries(FORMS))('%s', (_name, form) => {
  it('sends what is shown, under a key, and asks anew for what it changed', async () => {
    const user = await reach(form)
    server.on(form.call, form.answer)
    const before = server.calls(form.stale).length
    await user.click(button(form.submit))
    await waitFor(() => expect(server.calls(form.stale).length).toBeGreaterThan(before))
    const [sent, ...more] = callsOf(form)
    expect(more).toEqual([])
    expect(sent?.body).toEqual(form.bodies[0])
    expect(sent?.key).toMatch(/^[\w-]{32,}$/)
  })

  it('keeps its key while no answer came, keeps what was typed, and takes another key for a change', async () => {
    const user = await reach(form)
    await send(user, form, lost)
    await screen.findByText('An error occurred')
    const isKept = () =>
      expect(form.typed.map(([name]) => field(name).value)).toEqual(form.typed.map(([, text]) => text))
    isKept()
    await send(user, form, refused(422, 'no', 'Not today.'))
    await screen.findByText('Not today.')
    isKept()
    await send(user, form, lost)
    await waitFor(() => expect(callsOf(form)).toHaveLength(3))
    server.on(form.call, form.answer)
    await form.change(user)
    await user.click(button(form.submit))
    await waitFor(() => expect(callsOf(form)).toHaveLength(4))
    const [first, second, third, changed] = callsOf(form)
    expect(second).toEqual(first)
    expect(changed?.body).toEqual(form.bodies[1])
    expect(new Set([first?.key, third?.key, changed?.key]).size).toBe(3)
  })

  it('is sent once however often it is pressed', async () => {
    await reach(form)
    const answer = held()
    server.on(form.call, answer.reply)
    const submit = button(form.submit)
    fireEvent.click(submit)
    fireEvent.click(submit)
    await waitFor(() => expect(callsOf(form)).toHaveLength(1))
    await waitFor(() => expect(submit).toHaveProperty('disabled', true))
    answer.give(form.answer)
    await waitFor(() => expect(screen.queryByRole('button', { name: form.submit, busy: true })).toBeNull())
    expect(callsOf(form)).toHaveLength(1)
  })

  it('takes a damaged answer for none, and keeps its key', async () => {
    const user = await reach(form)
    await send(user, form, { message: 7, id: '3' })
    await screen.findByText('An error occurred')
    await user.click(button(form.submit))
    await waitFor(() => expect(callsOf(form)).toHaveLength(2))
    const [first, second] = callsOf(form)
    expect(second).toEqual(first)
  })
})

describe('an investment', () => {
  it('shows exactly what the server wants to be sent, and where', async () => {
    const form = FORMS['an investment'] as FormCase
    const { reply, give } = held()
    server.on('GET plans/terms/', reply)
    const user = await reach(form)
    // A fee that is not known yet is not none.
    screen.getByText('Company fee (–)')
    give(figures.investmentTerms)
    await screen.findByText('Company fee (0.5%)')
    await send(user, form, form.answer)
    await screen.findByText('To this address (USDT, TRC20 network)')
    expect(document.body.textContent).toContain('1,256.75')
    expect(document.body.textContent?.replace(/\s/g, '')).toContain(figures.WALLET)
  })

  it('shows what is refused at its amount and as a message', async () => {
    const form = FORMS['an investment'] as FormCase
    const errors = [{ path: 'amount', detail: 'Another amount, please.' }]
    await send(await reach(form), form, refused(422, 'invalid', 'Something is wrong.', errors))
    await screen.findByText('Another amount, please.')
    screen.getByText('Something is wrong.')
  })

  it('says that the balance became its amount, and has what was typed again without it', async () => {
    const user = await show(invest(), { texts: ['investments'] })
    await put(user, AMOUNT, '700')
    const balance = screen.getByRole('checkbox', { name: /Pay with my passive balance/ })
    await user.click(balance)
    expect(field(AMOUNT).value).toBe('120.50')
    screen.getByText(/Your whole balance is set as the amount/)
    await user.click(balance)
    expect(field(AMOUNT).value).toBe('700')
  })

  it('says until when it is locked, that what was there keeps its date, and what becomes of the progress', async () => {
    const user = await show(invest(), { texts: ['investments'] })
    await put(user, AMOUNT, '100')
    screen.getByText(/This investment is locked for 365 days, until/)
    screen.getByText(/The \$1,000\.00 you have invested keeps its date/)
    screen.getByText(/goes from 6\.84% to 6\.22%/)
  })

  it('is not sent while its amount breaks a rule', async () => {
    const user = await show(invest(), { texts: ['investments'] })
    await put(user, AMOUNT, '20')
    await user.click(button('Invest'))
    await screen.findByText(/The minimum is/)
    expect(server.calls('POST')).toEqual([])
  })
})

describe('a withdrawal', () => {
  const form = FORMS['a withdrawal'] as FormCase
  const open = async (terms: object = {}) => {
    server.on('GET withdrawals/terms/', { ...figures.withdrawalTerms, ...terms })
    const user = await show(form.part(), { texts: [form.noun] })
    await screen.findByText(/You can withdraw/)
    return user
  }
  const amount = () => field('Amount').value

  it.each([
    ['', {}, 'Amount is required'],
    ['some', {}, 'Amount is invalid'],
    ['-5', {}, 'Amount must be positive'],
    ['19', {}, 'The minimum is $20.00'],
    ['121', {}, 'You have $120.50 available'],
    ['50', { left_today: '30.00' }, 'You can withdraw $30.00 more today'],
    ['1.234', {}, 'This reads two ways. Which amount do you mean?'],
  ])('of %j is said to be wrong, and no code is asked for', async (typed, terms, sentence) => {
    const user = await open(terms)
    if (typed !== '') await put(user, 'Amount', typed)
    await goOn(user)
    await screen.findByText(sentence)
    expect(document.activeElement).toBe(field('Amount'))
    expect(server.calls('POST')).toEqual([])
  })

  it('of "1.234" is answered by pressing which one is meant', async () => {
    const user = await open()
    await put(user, 'Amount', '1.234')
    await user.click(button('$1,234.00'))
    expect(amount()).toBe('1234.00')
    await screen.findByText('You have $120.50 available')
    await put(user, 'Amount', '1.234')
    await user.click(button('$1.2340'))
    expect(amount()).toBe('1.2340')
  })

  it.each([
    ['I already have a code', 'Secret code'],
    [/^Generate/, 'Secret code'],
  ])(
    'that is reviewed again after a reload waits for its terms where %s is pressed before',
    async (name, next) => {
      const user = await open()
      await put(user, 'Amount', '100')
      await goOn(user)
      await screen.findByRole('button', { name: /^Generate/ })
      cleanup()
      server.on('POST withdrawals/withdrawals/create-code/', () => Response.json('The code is on its way.'))
      const terms = held()
      server.on('GET withdrawals/terms/', terms.reply)
      const again = await show(form.part(), { texts: [form.noun] })
      await again.click(await screen.findByRole('button', { name }))
      expect(server.calls('POST')).toEqual([])
      terms.give(figures.withdrawalTerms)
      await waitFor(() => expect(document.activeElement).toBe(field(next)))
      expect(screen.queryByText(/Wallet/, { selector: '.field-error' })).toBeNull()
    },
  )

  it('has a code for its amount and wallet alone, and is empty again once it is sent', async () => {
    const user = await open({ needs_otp: false })
    await put(user, 'Amount', '100')
    const call = 'POST withdrawals/withdrawals/create-code/'
    server.on(call, refused(429, 'too_many', 'Wait a minute.'))
    await goOn(user)
    await user.click(await screen.findByRole('button', { name: 'Generate secret code' }))
    await screen.findByText('Wait a minute.')
    await withdrawalCode(user)
    await screen.findByText('The code is on its way.')
    const change = async (to: string) => {
      await user.click(button(/^How much/))
      await put(user, 'Amount', to)
      await goOn(user)
    }
    await change('90')
    await screen.findByText(/generate a code for them/)
    await change('100')
    await screen.findByText(/Check your inbox/)
    await goOn(user)
    await put(user, 'Secret code', '1234567')
    await send(user, form, form.answer)
    await screen.findByText('Withdrawal made successfully!')
    expect(callsOf(form).map(({ body }) => body)).toEqual([
      { amount: '100', wallet_address: figures.WALLET, used_code: '1234567' },
    ])
    expect(amount()).toBe('')
  })

  it('shows what is refused at its fields and as a message', async () => {
    const user = await reach(form)
    const errors = [
      { path: 'used_code', detail: 'Another code, please.' },
      { path: 'otp', detail: 'Other digits, please.' },
    ]
    await send(user, form, refused(422, 'invalid', 'Something is wrong.', errors))
    await screen.findByText('Another code, please.')
    screen.getByText('Other digits, please.')
    expect(document.activeElement).toBe(field('Secret code'))
    screen.getByText('Something is wrong.')
  })

  it('has its amount again when the page comes back, unless another is being typed', async () => {
    await put(await open(), 'Amount', '75')
    cleanup()
    await open()
    await waitFor(() => expect(amount()).toBe('75'))
    cleanup()
    const answer = held()
    server.on('GET auth/user/', answer.reply)
    const user = await open()
    await user.click(field('Amount'))
    answer.give(figures.user)
    await user.type(field('Amount'), '6')
    expect(amount()).toBe('6')
  })

  it('asks for the code with the amount and the wallet that are shown', async () => {
    await reach(FORMS['a withdrawal'] as FormCase)
    expect(server.calls('POST withdrawals/withdrawals/create-code/').map(({ body }) => body)).toEqual([
      { amount: '100', wallet_address: figures.WALLET },
    ])
  })

  it('is taken back once, and the list is asked for anew', async () => {
    server.on('GET withdrawals/withdrawals/', figures.pageOf(figures.withdrawal({ id: 9 })))
    const user = await show(<WithdrawalsPage />, { texts: ['withdrawals'] })
    const [first] = await screen.findAllByRole('button', { name: /Cancel/ })
    await user.click(first as HTMLElement)
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain('$100.00')
    const answer = held()
    const call = 'POST withdrawals/withdrawals/9/cancel/'
    server.on(call, answer.reply)
    const confirm = within(dialog).getByRole('button', { name: /^Cancel/ })
    fireEvent.click(confirm)
    fireEvent.click(confirm)
    await waitFor(() => expect(server.calls(call)).toHaveLength(1))
    await user.keyboard('{Escape}')
    expect(screen.getByRole('dialog')).toBe(dialog)
    const before = server.calls('GET withdrawals/withdrawals/').length
    answer.give(figures.withdrawal({ id: 9, stage: 'cancelled', status: '3', can_cancel: false }))
    await waitFor(() => expect(server.calls('GET withdrawals/withdrawals/').length).toBeGreaterThan(before))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.calls(call)).toHaveLength(1)
  })
})

describe('a new e-mail and a new wallet', () => {
  const OTHER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
  const profile = () => <WithUser>{(user) => <ProfilePage user={user} />}</WithUser>

  async function change(): Promise<UserEvent> {
    const user = await show(profile(), { texts: ['identity/profile'] })
    await screen.findByRole('textbox', { name: 'E-mail' })
    await put(user, 'E-mail', 'new@example.com')
    await user.click(button('Change'))
    await put(user, 'USDT wallet (TRC20)', OTHER)
    server.on('PATCH auth/user/', () => Response.json('The code is on its way.'))
    await user.click(button('Save changes'))
    await screen.findByRole('textbox', { name: 'Code from your e-mail' })
    return user
  }
  /** Both proofs: the code of the e-mail, and the one of the app that the member has. The second one submits. */
  async function typeCodes(user: UserEvent): Promise<void> {
    await user.type(field('Code from your e-mail'), '1234567')
    await user.type(field('Code from your app'), '123456')
  }
  const patches = () => server.calls('PATCH auth/user/').map(({ body }) => body)
  const NEW = { email: 'new@example.com', usdt_wallet: OTHER }
  const PROVEN = { ...NEW, secret_code: '1234567', otp: '123456' }

  it('are shown where the code is asked for, and sent with it as they are shown', async () => {
    const user = await change()
    const dialog = screen.getByRole('dialog')
    const shown = dialog.textContent?.replace(/\s/g, '')
    expect(shown).toContain('new@example.com')
    expect(shown).toContain(OTHER)
    const before = server.calls('GET auth/user/').length
    await typeCodes(user)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(patches()).toEqual([NEW, PROVEN])
    await waitFor(() => expect(server.calls('GET auth/user/').length).toBeGreaterThan(before))
  })

  it('are sent by the code of the e-mail alone where no app is set up', async () => {
    server.on('GET auth/user/', { ...figures.user, two_factor: false })
    const user = await change()
    expect(screen.queryByRole('textbox', { name: 'Code from your app' })).toBeNull()
    await user.type(field('Code from your e-mail'), '1234567')
    await waitFor(() => expect(patches()).toEqual([NEW, { ...NEW, secret_code: '1234567' }]))
  })

  it('name a refused code of the app at its own field', async () => {
    const user = await change()
    server.on('PATCH auth/user/', refused(403, 'otp_invalid', 'This code of the app is wrong.'))
    await typeCodes(user)
    await waitFor(() => expect(field('Code from your app').getAttribute('aria-invalid')).toBe('true'))
    expect(field('Code from your e-mail').getAttribute('aria-invalid')).not.toBe('true')
  })

  it('stay typed when the code is refused, or when the way back is taken', async () => {
    const user = await change()
    server.on('PATCH auth/user/', refused(422, 'code_invalid', 'This code is wrong.'))
    await typeCodes(user)
    await screen.findByText('This code is wrong.')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect([field('E-mail').value, field('USDT wallet (TRC20)').value]).toEqual(['new@example.com', OTHER])
  })

  it('are sent once, and the dialog stays while they are', async () => {
    const user = await change()
    const answer = held()
    server.on('PATCH auth/user/', answer.reply)
    await typeCodes(user)
    fireEvent.submit(field('Code from your e-mail').form as HTMLFormElement)
    await waitFor(() => expect(patches()).toHaveLength(2))
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).not.toBeNull()
    answer.give(Response.json('Saved.'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(patches()).toHaveLength(2)
  })
})
