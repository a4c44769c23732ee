import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../testing/page.tsx'
import { ShareButton } from './ShareButton.tsx'

const URL_OF_ANA = 'https://aval.example/auth/register/1234567'

it('a link is shared by a QR code, by what people write with, and by copying; the system’s own sheet where there is one', async () => {
  const user = await show(<ShareButton url={URL_OF_ANA} />, { texts: ['ui'] })
  await user.click(screen.getByRole('button', { name: 'Share your link' }))
  const sheet = within(await screen.findByRole('dialog', { name: 'Share your link' }))
  sheet.getByRole('img', { name: `QR code of ${URL_OF_ANA}` })
  const hrefOf = (name: RegExp) => new URL(sheet.getByRole<HTMLAnchorElement>('link', { name }).href)
  const whatsApp = hrefOf(/^WhatsApp/)
  expect([whatsApp.origin, whatsApp.searchParams.get('text')]).toEqual([
    'https://wa.me',
    `Join me on Aval: ${URL_OF_ANA}`,
  ])
  const telegram = hrefOf(/^Telegram/)
  expect([telegram.origin + telegram.pathname, telegram.searchParams.get('url')]).toEqual([
    'https://t.me/share/url',
    URL_OF_ANA,
  ])
  const mail = hrefOf(/^E-mail/)
  expect([mail.protocol, mail.searchParams.get('body')]).toEqual([
    'mailto:',
    `Join me on Aval: ${URL_OF_ANA}`,
  ])
  sheet.getByRole('button', { name: 'Copy link' })
  expect(sheet.queryByRole('button', { name: 'More options' })).toBeNull()
})
