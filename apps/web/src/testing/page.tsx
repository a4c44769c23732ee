import { act, render, screen } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v8'
import type { ReactNode } from 'react'
import toast from 'react-hot-toast'
import { Provider } from 'react-redux'
import { BrowserRouter } from 'react-router'
import { client } from '../api/client.ts'
import { loadConsoleTexts } from '../app/console/consoleTexts.ts'
import { loadTexts } from '../app/i18n.ts'
import { store } from '../app/store.ts'
import { Toasts } from '../ui/Toasts.tsx'

/** Shows a part of the product as the app does: with its store, its texts in English and its messages. */
export async function show(
  part: ReactNode,
  { texts, at = '/' }: { texts: readonly string[]; at?: string },
): Promise<UserEvent> {
  await Promise.all([loadTexts('app', 'ui', ...texts), loadConsoleTexts()])
  window.history.replaceState(null, '', at)
  act(() => {
    toast.remove()
    store.dispatch(client.util.resetApiState())
  })
  render(
    <Provider store={store}>
      <BrowserRouter>
        <NuqsAdapter>{part}</NuqsAdapter>
      </BrowserRouter>
      <Toasts />
    </Provider>,
  )
  return userEvent.setup({ delay: null })
}

export const button = (name: string | RegExp) => screen.getByRole('button', { name })
export const field = (name: string | RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name })

/** Types a text in the place of what stands in a field. */
export async function put(user: UserEvent, name: string | RegExp, text: string): Promise<void> {
  const input = await screen.findByRole('textbox', { name })
  await user.clear(input)
  await user.type(input, text)
}
