import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { ConfirmProvider } from '../console/shared/ConfirmProvider.tsx'
import { button, show } from './page.tsx'

/** Shows a part of the operators' pages. */
export const showToOperator = (part: ReactNode, noun: string, at?: string) =>
  show(<ConfirmProvider>{part}</ConfirmProvider>, {
    texts: ['console/shared', `console/${noun}`],
    ...(at !== undefined && { at }),
  })

export const codeField = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Six-digit code' })

/** Types the code of the authenticator app, and confirms with it. */
export async function confirmWith(user: UserEvent, code = '123456'): Promise<void> {
  const input = await codeField()
  await user.clear(input)
  await user.type(input, code)
  await user.click(button('Confirm'))
}
