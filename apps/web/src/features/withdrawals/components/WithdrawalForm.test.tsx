import { cleanup, screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import * as figures from '../../../testing/figures.ts'
import { button, field, put, show } from '../../../testing/page.tsx'
import { type FakeServer, fakeServer, held, refused } from '../../../testing/server.ts'
import { WithdrawalForm } from './WithdrawalForm.tsx'

const CODE = 'POST withdrawals/withdrawals/create-code/'
const SEND = 'POST withdrawals/withdrawals/'

let server: FakeServer
beforeEach(() => {
  sessionStorage.clear()
  server = fakeServer()
  server.on('GET auth/user/', figures.user)
  server.on('GET withdrawals/terms/', { ...figures.withdrawalTerms, needs_otp: false })
  server.on(CODE, () => Response.json('The code is on its way.'))
  server.on('GET auth/user/code-mail/', { waiting_seconds: 90 })
})

/** Wherever a code is asked for. */
const MAIL_WAITS = 'The mail has not left yet: we have been trying for 2 minutes and go on.'

const OTHER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'

const sent: number[] = []
const open = async () => {
  const user = await show(<WithdrawalForm onSent={({ id }) => sent.push(id)} />, { texts: ['withdrawals'] })
  await screen.findByText(/You can withdraw/)
  return user
}
/** Its head stands there whether it is open or not. */
const opened = () => document.querySelector('h2[aria-current="step"]')?.textContent?.replace(/^\d/, '')
const head = (name: RegExp) => button(name)
const wallet = () => screen.getByRole<HTMLSelectElement>('combobox')
async function review(user: UserEvent, amount = '50'): Promise<void> {
  await put(user, 'Amount', amount)
  await user.keyboard('{Enter}')
  await waitFor(() => expect(opened()).toBe('Review'))
}

describe('a withdrawal', () => {
  it('of 50 takes three presses besides what is typed, and begins anew', async () => {
    const user = await open()
    await put(user, 'Amount', '50')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(document.activeElement).toBe(button('Generate secret code')))
    await user.click(button('Generate secret code'))
    await waitFor(() => expect(document.activeElement).toBe(field('Secret code')))
    await user.keyboard('1234567')
    server.on(SEND, figures.withdrawal({ id: 8 }))
    await user.click(button(/^Withdraw \$/))
    await waitFor(() => expect(opened()).toBe('How much?'))
    expect(sent).toContain(8)
    expect(field('Amount').value).toBe('')
    expect(server.calls(SEND).map(({ path, body }) => [path, body])).toEqual([
      ['withdrawals/withdrawals/create-code/', { amount: '50', wallet_address: figures.WALLET }],
      ['withdrawals/withdrawals/', { amount: '50', wallet_address: figures.WALLET, used_code: '1234567' }],
    ])
  })

  it('takes the code of the app after the last digit of the secret one, where it is wanted', async () => {
    server.on('GET withdrawals/terms/', figures.withdrawalTerms)
    const user = await open()
    await put(user, 'Amount', '50')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(document.activeElement).toBe(button('Generate secret code')))
    await user.click(button('Generate secret code'))
    await waitFor(() => expect(document.activeElement).toBe(field('Secret code')))
    await user.keyboard('1234567')
    expect(document.activeElement).toBe(field('Code from your app'))
  })

  it('is reviewed before a code is asked for: what leaves, the fee, what arrives, when, and to which wallet', async () => {
    const user = await open()
    await review(user)
    const about = button('Generate secret code').getAttribute('aria-describedby')?.split(' ') ?? []
    const read = about.map((id) => document.getElementById(id)?.textContent).join(' ')
    expect(read).toMatch(/\$50[.,]00.*\$1[.,]00.*49[.,]00 USDT.*1 to 72 hours/)
    expect(wallet().value).toBe(figures.WALLET)
    head(/How much\?.*\$50[.,]00 USD/)
    expect(server.calls('POST')).toEqual([])
  })

  it('goes back by the head of what is done, and has everything that was typed', async () => {
    const user = await open()
    await review(user)
    await user.click(button('I already have a code'))
    await put(user, 'Secret code', '765')
    await user.click(head(/^Review/))
    expect(opened()).toBe('Review')
    await user.click(head(/^How much/))
    expect(document.activeElement).toBe(field('Amount'))
    expect(field('Amount').value).toBe('50')
    await user.keyboard('{Enter}')
    await user.click(await screen.findByRole('button', { name: 'I already have a code' }))
    await waitFor(() => expect(field('Secret code').value).toBe('765'))
  })

  it('takes a code that the page did not ask for', async () => {
    const user = await open()
    await review(user)
    await user.click(button('I already have a code'))
    await waitFor(() => expect(document.activeElement).toBe(field('Secret code')))
    await user.click(button(/^Withdraw \$/))
    await screen.findByText('Secret code is required.')
    server.on(SEND, figures.withdrawal())
    await user.keyboard('7654321{Enter}')
    await waitFor(() => expect(server.calls(SEND)).toHaveLength(1))
    expect(server.calls(CODE)).toEqual([])
  })

  it('leads back to its review when the amount changed after the code, and says why', async () => {
    const user = await open()
    await review(user)
    await user.click(button('Generate secret code'))
    await user.click(await screen.findByRole('button', { name: /^Review/ }))
    // The code is still good: nothing has changed.
    button('Continue')
    await user.click(head(/^How much/))
    await review(user, '60')
    screen.getByText('The amount or the wallet changed: generate a code for them.')
    await user.click(button('Generate another code'))
    await waitFor(() => expect(opened()).toBe('Confirm'))
    expect(server.calls(CODE).map(({ body }) => (body as { amount: string }).amount)).toEqual(['50', '60'])
  })

  it.each([
    ['amount', 'How much?', 'Amount'],
    ['used_code', 'Confirm', 'Secret code'],
  ])('that is refused for its %s opens there', async (path, section, name) => {
    const user = await open()
    await review(user)
    await user.click(button('Generate secret code'))
    await waitFor(() => expect(document.activeElement).toBe(field('Secret code')))
    await user.keyboard('1234567')
    server.on(SEND, refused(422, 'invalid', 'Something is wrong.', [{ path, detail: 'Another, please.' }]))
    await user.click(button(/^Withdraw \$/))
    await screen.findByText('Another, please.')
    expect(opened()).toBe(section)
    expect(document.activeElement).toBe(field(name))
  })

  it('whose amount was entered before its terms arrived is reviewed once they are there', async () => {
    const answer = held()
    server.on('GET withdrawals/terms/', answer.reply)
    const user = await show(<WithdrawalForm onSent={() => undefined} />, { texts: ['withdrawals'] })
    await put(user, 'Amount', '50')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(button('Continue').getAttribute('aria-busy')).toBe('true'))
    answer.give(figures.withdrawalTerms)
    await waitFor(() => expect(opened()).toBe('Review'))
  })

  it('is at its review again when the page comes back', async () => {
    await review(await open())
    cleanup()
    await open()
    await waitFor(() => expect(opened()).toBe('Review'))
    expect(screen.getByRole('button', { name: /^How much/ }).textContent).toMatch(/\$50[.,]00 USD/)
  })

  it('at its review says that its terms did not come, and no amounts, until they are there', async () => {
    await review(await open())
    cleanup()
    server.on('GET withdrawals/terms/', () => Response.json({}, { status: 500 }))
    const user = await show(<WithdrawalForm onSent={() => undefined} />, { texts: ['withdrawals'] })
    const again = await screen.findByRole('button', { name: 'Try again' })
    expect(screen.queryByText(/0[.,]00/, { selector: 'dd > span' })).toBeNull()
    server.on('GET withdrawals/terms/', figures.withdrawalTerms)
    await user.click(again)
    await screen.findByText(/49[.,]00/, { selector: 'dd > span' })
  })
})

describe('a code', () => {
  it('says beside its button, before it is pressed, that it wants the amount and the wallet first', async () => {
    const user = await open()
    await review(user, '100')
    const about = () =>
      (button('Generate secret code').getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join(' ')
    expect(about()).toMatch(/this amount and this wallet/)
    await user.selectOptions(wallet(), '')
    expect(about()).toMatch(/First enter the amount and choose the wallet/)
    await user.click(button('Generate secret code'))
    await screen.findByText(/Wallet invalid/)
    expect(document.activeElement).toBe(wallet())
    expect(server.calls('POST')).toEqual([])
  })

  it('can be asked for before the amount is known, and is good for the one typed then', async () => {
    const user = await open()
    const first = button('Get the secret code first')
    const said = document.getElementById(first.getAttribute('aria-describedby') ?? '')
    expect(said?.textContent).toMatch(/one withdrawal of any amount/)
    await user.click(first)
    await screen.findByText(/Check your inbox/)
    await screen.findByText(MAIL_WAITS)
    expect(server.calls(CODE).map(({ body }) => body)).toEqual([{}])
    await review(user)
    await user.click(button('Continue'))
    await waitFor(() => expect(opened()).toBe('Confirm'))
    screen.getByText(MAIL_WAITS)
    server.on(SEND, figures.withdrawal())
    await user.keyboard('1234567{Enter}')
    await waitFor(() => expect(server.calls(SEND)).toHaveLength(2))
    expect(server.calls(CODE)).toHaveLength(1)
  })

  it('is not offered before the amount where the installation makes none', async () => {
    server.on('GET withdrawals/terms/', { ...figures.withdrawalTerms, code_first: false })
    await open()
    expect(screen.queryByRole('button', { name: 'Get the secret code first' })).toBeNull()
  })
})

describe('a withdrawal without a wallet', () => {
  const PATCH = 'PATCH auth/user/'
  const none = (more: object = {}) => {
    server.on('GET auth/user/', { ...figures.user, usdt_wallet: '', ...more })
    server.on('GET withdrawals/terms/', { ...figures.withdrawalTerms, wallet_address: '' })
  }
  const registered = (more: object = {}) => {
    server.on('GET withdrawals/terms/', figures.withdrawalTerms)
    server.on('GET auth/user/', { ...figures.user, ...more })
  }
  const patches = () => server.calls(PATCH).map(({ body }) => body)

  it('has one registered on the way, by the codes that the profile asks for, and goes on with its amount', async () => {
    none()
    const user = await open()
    await put(user, 'Amount', '50')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(document.activeElement).toBe(field('Address of your wallet')))
    // Nothing to choose from.
    expect(screen.queryByRole('combobox')).toBeNull()
    await user.keyboard('{Enter}')
    await screen.findByText('Wallet address USDT TRC20 is required.')
    await user.keyboard('0x12{Enter}')
    await screen.findByText(/begins with T/)
    server.on(
      PATCH,
      refused(422, 'wallet_invalid', 'No.', [{ path: 'usdt_wallet', detail: 'Not an address.' }]),
    )
    await put(user, 'Address of your wallet', `${figures.WALLET.slice(0, 4)} ${figures.WALLET.slice(4)}`)
    await user.keyboard('{Enter}')
    await screen.findByText('Not an address.')
    server.on(PATCH, () => Response.json('It went to a•••@example.com.'))
    await user.keyboard('{Enter}')
    await waitFor(() => expect(document.activeElement).toBe(field('Code from your e-mail')))
    await screen.findByText(MAIL_WAITS)
    await user.keyboard('1234567')
    await waitFor(() => expect(document.activeElement).toBe(field('Code from your app')))
    server.on(PATCH, refused(403, 'otp_invalid', 'This code of the app is wrong.'))
    await user.keyboard('000000')
    await screen.findByText('This code of the app is wrong.')
    server.on(PATCH, () => {
      registered()
      return Response.json('Saved.')
    })
    await put(user, 'Code from your app', '123456')
    await waitFor(() => expect(document.activeElement).toBe(button('Generate secret code')))
    expect(patches().at(-1)).toEqual({
      usdt_wallet: figures.WALLET,
      secret_code: '1234567',
      otp: '123456',
    })
    expect(wallet().value).toBe(figures.WALLET)
    expect(head(/^How much/).textContent).toMatch(/\$50[.,]00/)
  })

  it('needs no code of an app that is not set up, and may take another address before the code', async () => {
    none({ two_factor: false })
    const user = await open()
    await review(user)
    server.on(PATCH, () => Response.json('It is on its way.'))
    await put(user, 'Address of your wallet', OTHER)
    await user.keyboard('{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Change the address' }))
    await put(user, 'Address of your wallet', figures.WALLET)
    await user.keyboard('{Enter}')
    await screen.findByRole('textbox', { name: 'Code from your e-mail' })
    await put(user, 'Code from your e-mail', '1234567')
    await waitFor(() =>
      expect(patches()).toEqual([
        { usdt_wallet: OTHER },
        { usdt_wallet: figures.WALLET },
        { usdt_wallet: figures.WALLET, secret_code: '1234567' },
      ]),
    )
  })
})

describe('an e-mail that is not proven', () => {
  const about = async (more: object) => {
    server.on('GET auth/user/', { ...figures.user, email_proven: false, ...more })
    server.on('GET auth/member-key/', { waiting: null })
    await open()
  }

  it('keeps in what a passkey moves: the page says so and leads to the profile', async () => {
    await about({ passkey_only: true })
    await screen.findByText(/Your e-mail is not confirmed yet/)
    expect(screen.getByRole('link', { name: 'Confirm it in your profile' }).getAttribute('href')).toBe(
      '/profile',
    )
  })

  it('is nothing to who withdraws by a code, which proves it', async () => {
    await about({ passkey_only: false })
    expect(screen.queryByText(/not confirmed/)).toBeNull()
  })
})
