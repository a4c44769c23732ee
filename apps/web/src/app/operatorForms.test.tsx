import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { RunView } from '../console/payout-runs/components/RunView.tsx'
import { PlanTab } from '../console/plan/components/PlanTab.tsx'
import { RatesTab } from '../console/plan/components/RatesTab.tsx'
import { ReservesTab } from '../console/reserves/components/ReservesTab.tsx'
import { InvestmentsTab } from '../console/reversals/components/InvestmentsTab.tsx'
import { ConfirmProvider } from '../console/shared/ConfirmProvider.tsx'
import { TreasuryPage } from '../console/treasury/components/TreasuryPage.tsx'
import { WithdrawalsTab } from '../console/withdrawals/components/WithdrawalsTab.tsx'
import * as figures from '../testing/figures.ts'
import { button, put, show } from '../testing/page.tsx'
import { type FakeServer, fakeServer, held, lost, refused } from '../testing/server.ts'

let server: FakeServer
beforeEach(() => {
  // Hidden pages do not poll: what is asked for again was invalidated.
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  server = fakeServer()
  server.on('GET operator/withdrawals/', figures.pageOf(...QUEUE))
  server.on('GET operator/withdrawals/3/', figures.dossier(3, 'ana', '100.00'))
  server.on('GET operator/treasury/', figures.treasury)
  server.on('GET operator/pools/fundings/', figures.pageOf())
  server.on('GET operator/me/', figures.admin)
  server.on('GET operator/decisions/', figures.pageOf())
  server.on('GET operator/approvals-page/', { url: 'https://approve.example' })
  server.on('GET operator/runs/41/', figures.heldRun)
  for (const [call, answer] of Object.entries(figures.readBeside)) server.on(call, answer)
  server.on('GET demo/', { now: figures.DAY })
  server.on('GET operator/plans/', [figures.planVersion])
  server.on('GET operator/rates/', figures.pageOf())
  server.on('GET operator/investments/', figures.pageOf(figures.investment))
  server.on('GET operator/investments/7/reversal/', figures.reversal)
  server.on('GET operator/reserves/', figures.operatorReserves)
})

const QUEUE = [
  figures.queued(3, 'ana', '100.00'),
  figures.queued(4, 'luis', '40.00'),
  figures.queued(5, 'eva', '60.00'),
]

/** Shows a part of the operators' pages. */
const showToOperator = (part: ReactNode, noun: string, at?: string) =>
  show(<ConfirmProvider>{part}</ConfirmProvider>, {
    texts: ['console/shared', `console/${noun}`],
    ...(at !== undefined && { at }),
  })

const codeField = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Six-digit code' })

/** Types the code of the authenticator app, and confirms with it. */
async function confirmWith(user: UserEvent, code = '123456'): Promise<void> {
  const input = await codeField()
  await user.clear(input)
  await user.type(input, code)
  await user.click(button('Confirm'))
}
const press = async (user: UserEvent, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))

const DECIDE = 'POST operator/withdrawals/decide/'
const choose = async (user: UserEvent, name: string) =>
  user.click(await screen.findByRole('checkbox', { name: new RegExp(`of ${name}`) }))

/** A form of operators: how it is reached, what is typed, and what has to go out. */
interface FormCase {
  noun: string
  part: () => ReactNode
  at?: string
  /** Up to the form, where it is not there from the beginning. */
  open?: (user: UserEvent) => Promise<void>
  field: string | RegExp
  /** What is typed into the field first, and after a refusal; a reason where nothing is said. */
  texts?: readonly [string, string]
  /** What the server is sent for the two. */
  bodies: readonly [object, object]
  /** Pressed once it is typed, before the button that decides. */
  review?: string
  submit: string | RegExp
  submitAt?: number
  call: string
  answer?: object
  /** Shown on the page, and stale once it is decided. */
  stale: string
}

const REASONS = ['not hers', 'not his'] as const
const forReasons = (body: (reason: string) => object) => [body(REASONS[0]), body(REASONS[1])] as const

const lower = (percentage: string) => ({ day: '2026-11-21', percentage, reason: REASONS[0], was: null })
/** Deciding about a held run: by which button, and how it is confirmed. */
const runDecision = (decision: string, opener: string, submit: string | RegExp): FormCase => ({
  noun: 'payout-runs',
  part: () => <RunView id={41} watching={false} onDecided={() => undefined} />,
  open: (user) => press(user, opener),
  field: /^Note/,
  bodies: forReasons((note) => ({ note })),
  submit,
  call: `POST operator/runs/41/${decision}/`,
  stale: 'GET operator/runs/41/',
})

/** A new version whose withdrawals have another minimum. */
const planWith = (minimum: string) => {
  const { document } = figures.planVersion
  return {
    starts_on: '2026-11-21',
    document: { ...document, withdrawals: { ...document.withdrawals, minimum } },
  }
}

const FORMS: Record<string, FormCase> = {
  'refusing withdrawals': {
    noun: 'withdrawals',
    part: () => <WithdrawalsTab />,
    open: async (user) => {
      for (const name of ['ana', 'eva']) await choose(user, name)
      await press(user, 'Refuse')
    },
    field: 'Reason',
    bodies: forReasons((reason) => ({ decision: 'refuse', ids: [3, 5], reason })),
    submit: 'Refuse',
    call: DECIDE,
    stale: 'GET operator/withdrawals/?',
  },
  'funding a pool': {
    noun: 'treasury',
    part: () => <TreasuryPage />,
    open: async (user) => {
      const [reason] = await screen.findAllByRole('textbox', { name: 'Reason' })
      if (reason !== undefined) await user.type(reason, 'For May')
    },
    field: 'Amount to add',
    texts: ['1,250.50', '20'],
    bodies: [
      { amount: '1250.50', was: '0.00', reason: 'For May' },
      { amount: '20', was: '0.00', reason: 'For May' },
    ],
    submit: 'Propose',
    submitAt: 0,
    call: 'POST operator/pools/profit/fund/',
    stale: 'GET operator/treasury/',
  },
  'stopping all payments': {
    noun: 'treasury',
    part: () => <TreasuryPage />,
    open: (user) => press(user, 'Stop all payments'),
    field: 'Why',
    bodies: forReasons((reason) => ({ reason })),
    submit: 'Stop now',
    call: 'POST operator/payments/stop/',
    stale: 'GET operator/treasury/',
  },
  'paying a run pro rata': runDecision('prorate', 'Pay pro rata…', /^Propose to pay \$?6/),
  'cancelling a run': runDecision('cancel', 'Cancel and compute again…', 'Cancel and compute again'),
  'declaring a rate': {
    noun: 'plan',
    part: () => <RatesTab />,
    field: 'Rate of the day',
    open: (user) => put(user, 'Reason', REASONS[0]),
    texts: ['0.25', '0,1'],
    bodies: [lower('0.25'), lower('0.1')],
    submit: 'Declare rate',
    call: 'POST operator/rates/',
    stale: 'GET operator/rates/',
  },
  'a new version of the plan': {
    noun: 'plan',
    part: () => <PlanTab />,
    at: '/operator?tab=plan&new=1',
    field: 'A withdrawal, at least',
    texts: ['30.5', '40'],
    bodies: [planWith('30.5'), planWith('40')],
    review: 'Review changes',
    submit: 'Propose version',
    call: 'POST operator/plans/',
    stale: 'GET operator/plans/',
  },
  'reversing an investment': {
    noun: 'reversals',
    part: () => <InvestmentsTab />,
    open: async (user) => {
      await press(user, 'Show details')
      await press(user, 'Reverse investment 7 of luis')
      await screen.findByRole('textbox', { name: 'Reason' })
      await put(user, 'Write luis to confirm', 'luis')
    },
    field: 'Reason',
    bodies: forReasons((reason) => ({ reason })),
    submit: 'Propose the reversal',
    call: 'POST operator/investments/7/reversal/',
    answer: figures.reversal,
    stale: 'GET operator/investments/?',
  },
  'explaining a difference of the reserves': {
    noun: 'reserves',
    part: () => <ReservesTab />,
    open: (user) => press(user, 'Explain…'),
    field: 'Why they differ',
    bodies: forReasons((reason) => ({ address: figures.WALLET, difference: '-5.00', reason })),
    submit: 'Propose',
    call: 'POST operator/reserves/explain/',
    stale: 'GET operator/reserves/',
  },
}

const DONE = { message: 'Done.' }
const dialogGone = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
/** The form's own button: behind a dialog there may be another of the same name. */
const submitOf = async ({ submit, submitAt = -1 }: Pick<FormCase, 'submit' | 'submitAt'>) =>
  (await screen.findAllByRole('button', { name: submit })).at(submitAt) as HTMLElement
/** The first of its name: there is a form for each pool. */
const fieldOf = async (form: FormCase) =>
  (await screen.findAllByRole<HTMLInputElement>('textbox', { name: form.field }))[0] as HTMLInputElement

async function fillIn(user: UserEvent, form: FormCase, which: 0 | 1): Promise<void> {
  const input = await fieldOf(form)
  await user.clear(input)
  await user.type(input, (form.texts ?? REASONS)[which])
  if (form.review !== undefined) await press(user, form.review)
}

async function reach(form: FormCase): Promise<UserEvent> {
  const user = await showToOperator(form.part(), form.noun, form.at)
  await form.open?.(user)
  await fillIn(user, form, 0)
  return user
}

/** Sends the form, with the code that it then asks for. */
async function decide(user: UserEvent, form: Pick<FormCase, 'submit'>, code?: string): Promise<void> {
  await user.click(await submitOf(form))
  await confirmWith(user, code)
}

describe.each(Object.entries(FORMS))('%s', (_name, form) => {
  it('sends what was typed, with the code and under a key, and asks anew for what it changed', async () => {
    const user = await reach(form)
    server.on(form.call, form.answer ?? DONE)
    await user.click(await submitOf(form))
    expect(server.calls(form.call)).toEqual([])
    const before = server.calls(form.stale).length
    await confirmWith(user)
    await waitFor(() => expect(server.calls(form.stale).length).toBeGreaterThan(before))
    const [sent, ...more] = server.calls(form.call)
    expect(more).toEqual([])
    expect(sent?.body).toEqual({ ...form.bodies[0], otp: '123456' })
    expect(sent?.key).toMatch(/^[\w-]{32,}$/)
  })

  it('keeps its key while no answer came, keeps what was typed when it is refused, and takes another key for a change', async () => {
    const user = await reach(form)
    server.on(form.call, lost)
    await decide(user, form)
    await screen.findByText(/could not|reach/i)
    server.on(form.call, refused(409, 'conflict', 'Somebody was faster.'))
    await confirmWith(user, '654321')
    await screen.findAllByText('Somebody was faster.')
    expect((await fieldOf(form)).value).toBe((form.texts ?? REASONS)[0])
    server.on(form.call, form.answer ?? DONE)
    await fillIn(user, form, 1)
    await decide(user, form)
    await waitFor(() => expect(server.calls(form.call)).toHaveLength(3))
    const [first, second, third] = server.calls(form.call)
    expect(second).toEqual({ ...first, body: { ...form.bodies[0], otp: '654321' } })
    expect(third?.body).toEqual({ ...form.bodies[1], otp: '123456' })
    expect(third?.key).not.toBe(first?.key)
  })

  it('is sent once however often it is pressed, and stays open until the answer is there', async () => {
    const user = await reach(form)
    const answer = held()
    server.on(form.call, answer.reply)
    const submit = await submitOf(form)
    fireEvent.click(submit)
    fireEvent.click(submit)
    const input = await codeField()
    await user.type(input, '123456')
    const codes = input.form as HTMLFormElement
    fireEvent.submit(codes)
    fireEvent.submit(codes)
    await waitFor(() => expect(server.calls(form.call)).toHaveLength(1))
    const open = screen.getAllByRole('dialog', { hidden: true }).length
    await user.keyboard('{Escape}')
    for (const close of screen.getAllByRole('button', { name: 'Close', hidden: true })) fireEvent.click(close)
    expect(screen.getAllByRole('dialog', { hidden: true })).toHaveLength(open)
    answer.give(form.answer ?? DONE)
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Six-digit code' })).toBeNull())
    expect(server.calls(form.call)).toHaveLength(1)
  })
})

describe('withdrawals that wait for a decision', () => {
  /** Up to the dialog that asks why they are refused. */
  async function ask(...names: string[]) {
    const user = await showToOperator(<WithdrawalsTab />, 'withdrawals')
    for (const name of names) await choose(user, name)
    await press(user, 'Refuse')
    return { user, dialog: await screen.findByRole('dialog') }
  }
  const refuse = async (user: UserEvent, dialog: HTMLElement) => {
    const reason = within(dialog).getByRole('textbox')
    await user.clear(reason)
    await user.type(reason, 'Unknown wallet')
    await user.click(within(dialog).getByRole('button', { name: 'Refuse' }))
    await confirmWith(user)
  }

  it('decides about exactly those that it shows, with their amounts and wallets', async () => {
    const { user, dialog } = await ask('ana', 'luis', 'eva', 'luis')
    const shown = QUEUE.filter(({ username }) => dialog.textContent?.includes(username))
    expect(shown.map(({ username }) => username)).toEqual(['ana', 'eva'])
    for (const row of shown) {
      const line = within(dialog).getByText(row.username).closest('li')
      expect(line?.textContent).toContain(`$${row.amount}`)
      expect(line?.textContent?.replace(/\s/g, '')).toContain(row.wallet_address)
    }
    expect(dialog.textContent).toContain('2 withdrawals, $160.00')
    server.on(DECIDE, DONE)
    await refuse(user, dialog)
    await dialogGone()
    expect(server.calls(DECIDE).map(({ body }) => body)).toEqual([
      { decision: 'refuse', ids: shown.map(({ id }) => id), reason: 'Unknown wallet', otp: '123456' },
    ])
  })

  it('decides what was read, although the queue learns of news meanwhile', async () => {
    const { user, dialog } = await ask('ana', 'eva')
    server.on('GET operator/withdrawals/', figures.pageOf(QUEUE[0] as object))
    server.on(DECIDE, refused(409, 'conflict', 'Somebody was faster.'))
    await refuse(user, dialog)
    await screen.findByText('Somebody was faster.')
    expect(screen.getByRole('dialog')).toBe(dialog)
    expect(within(dialog).getByText('eva')).toBeTruthy()
    server.on(DECIDE, DONE)
    await refuse(user, dialog)
    await waitFor(() => expect(server.calls(DECIDE)).toHaveLength(2))
    expect(server.calls(DECIDE)[1]?.body).toEqual({
      decision: 'refuse',
      ids: [3, 5],
      reason: 'Unknown wallet',
      otp: '123456',
    })
  })

  it('leaves approving to the page that the signer believes, in a tab of its own', async () => {
    await showToOperator(<WithdrawalsTab />, 'withdrawals')
    const link = await screen.findByRole('link', { name: /Go to approve/ })
    expect(link.getAttribute('href')).toBe('https://approve.example')
    expect(link.getAttribute('target')).toBe('_blank')
    expect(screen.queryByRole('button', { name: /Approve/ })).toBeNull()
  })

  it('is left by Escape without deciding anything', async () => {
    const { user } = await ask('ana')
    await user.keyboard('{Escape}')
    await dialogGone()
    expect(server.calls('POST')).toEqual([])
  })

  it.each([
    ['a press', (user: UserEvent, link: HTMLElement) => user.click(link)],
    [
      'the keyboard',
      async (user: UserEvent, link: HTMLElement) => {
        link.focus()
        await user.keyboard('{Enter}')
      },
    ],
  ])('a row opens by %s, and shows who asks', async (_how, open) => {
    const user = await showToOperator(<WithdrawalsTab />, 'withdrawals')
    const link = await screen.findByRole('link', { name: 'See withdrawal 3 of ana' })
    expect(screen.queryByText('$500.00')).toBeNull()
    await open(user, link)
    expect((await screen.findAllByText('$500.00')).length).toBeGreaterThan(0)
    expect(server.calls('GET operator/withdrawals/3/')).toHaveLength(1)
  })
})

const form = FORMS['declaring a rate'] as FormCase

describe('an answer to a decision', () => {
  it('about the code is shown where the code is typed, and the next code goes out under the same key', async () => {
    const user = await reach(form)
    server.on(form.call, refused(422, 'otp_invalid', 'This code is wrong.'))
    await decide(user, form)
    await screen.findByText('This code is wrong.')
    server.on(form.call, DONE)
    await confirmWith(user, '654321')
    await dialogGone()
    const [first, second] = server.calls(form.call)
    expect(second?.key).toBe(first?.key)
  })

  it('that refuses it spends the key: the same decision is another one then', async () => {
    const user = await reach(form)
    server.on(form.call, refused(409, 'conflict', 'Not now.'))
    await decide(user, form)
    await screen.findAllByText('Not now.')
    await decide(user, form)
    await waitFor(() => expect(server.calls(form.call)).toHaveLength(2))
    const [first, second] = server.calls(form.call)
    expect(second?.body).toEqual(first?.body)
    expect(second?.key).not.toBe(first?.key)
  })

  it('that is damaged counts as none', async () => {
    const user = await reach(form)
    server.on(form.call, { message: 7 })
    await decide(user, form)
    await screen.findByText(/The server’s answer arriv/)
    expect(screen.getByRole('textbox', { name: 'Six-digit code' })).toBeTruthy()
  })

  it('is not waited for without a whole code', async () => {
    const user = await reach(form)
    await decide(user, form, '12345')
    await screen.findByText('Enter the six digits')
    expect(server.calls('POST')).toEqual([])
  })
})

it('a rate of zero is asked about once more before its code', async () => {
  const user = await reach(form)
  await put(user, 'Rate of the day', '0')
  await user.click(await submitOf(form))
  await screen.findByText(/Pay nothing for/)
  server.on(form.call, DONE)
  await press(user, 'Declare zero')
  await confirmWith(user)
  await dialogGone()
  expect(server.calls(form.call).map(({ body }) => body)).toEqual([{ ...lower('0'), otp: '123456' }])
})

it('a run that its checks hold is proposed for release, in spite of what is listed', async () => {
  const reasons = [{ check: 'member_above_cap', sentence: 'One member gets too much.' }]
  server.on('GET operator/runs/41/', { ...figures.heldRun, reasons, missing: '0.00' })
  const view = <RunView id={41} watching={false} onDecided={() => undefined} />
  const user = await showToOperator(view, 'payout-runs')
  await press(user, 'Release…')
  expect((await screen.findByRole('dialog')).textContent).toContain('One member gets too much.')
  server.on('POST operator/runs/41/release/', DONE)
  await press(user, 'Propose to pay $10.00')
  await confirmWith(user)
  await dialogGone()
  expect(server.calls('POST').map(({ path, body }) => [path, body])).toEqual([
    ['operator/runs/41/release/', { otp: '123456' }],
  ])
})

it('a run whose release was proposed says that it waits, leads to the approvals page, and can be taken back', async () => {
  const reasons = [{ check: 'member_above_cap', sentence: 'One member gets too much.' }]
  const decision = { id: 9, kind: 'run_release', proposed_by: 'olga', proposed_at: figures.DAY }
  server.on('GET operator/runs/41/', { ...figures.heldRun, reasons, decision })
  const view = <RunView id={41} watching={false} onDecided={() => undefined} />
  const user = await showToOperator(view, 'payout-runs')
  await screen.findByText(/To be released in spite of its checks: proposed by olga/)
  expect(screen.queryByRole('button', { name: 'Release…' })).toBeNull()
  const link = await screen.findByRole('link', { name: /^Go to approve/ })
  expect(link.getAttribute('href')).toBe('https://approve.example')
  server.on('POST operator/decisions/9/withdraw/', DONE)
  server.on('GET operator/runs/41/', { ...figures.heldRun, reasons })
  await press(user, 'Take back')
  await confirmWith(user)
  await screen.findByRole('button', { name: 'Release…' })
  expect(server.calls('POST').map(({ path, body }) => [path, body])).toEqual([
    ['operator/decisions/9/withdraw/', { otp: '123456' }],
  ])
})

it('plans that wait for approval are shown beside the one in force', async () => {
  const proposed = {
    id: 4,
    kind: 'plan',
    subject: 'plan:2026-12-01',
    statement: { starts_on: '2026-12-01' },
    state: 'open',
    refusal: null,
    proposed_by: 'olga',
    approvals: [],
    proposed_at: figures.DAY,
    ended_at: null,
  }
  server.on('GET operator/decisions/', figures.pageOf(proposed))
  await showToOperator(<PlanTab />, 'plan', '/operator?tab=plan')
  await screen.findByText(/A plan from .*2026 on: proposed by olga/)
  await screen.findByRole('link', { name: /^Go to approve/ })
})

it('a damaged list of withdrawals is no list', async () => {
  server.on('GET operator/withdrawals/', figures.pageOf({ ...QUEUE[0], amount: 100 }))
  await showToOperator(<WithdrawalsTab />, 'withdrawals')
  await screen.findByText(/The server’s answer arriv/)
  expect(screen.queryByText('ana')).toBeNull()
})
