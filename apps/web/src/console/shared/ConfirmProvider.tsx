import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { ConfirmCodeDialog } from './ConfirmCodeDialog.tsx'
import { type Confirm, type Confirmation, ConfirmContext, type Outcome } from './confirm.ts'

interface Asked {
  confirmation: Confirmation<unknown>
  settle: (outcome: Outcome<unknown> | null) => void
}

/** Gives the pages inside of it the one dialog that asks for a code before a decision is sent. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const open = useRef<Asked | null>(null)
  const show = useCallback((next: Asked | null) => {
    open.current?.settle(null)
    open.current = next
    setAsked(next)
  }, [])
  useEffect(() => () => open.current?.settle(null), [])

  const confirm = useCallback(
    (confirmation: Confirmation<unknown>) =>
      new Promise<Outcome<unknown> | null>((settle) => show({ confirmation, settle })),
    [show],
  ) as Confirm

  const done = (outcome: Outcome<unknown> | null) => {
    asked?.settle(outcome)
    show(null)
  }
  return (
    <ConfirmContext value={confirm}>
      {children}
      {asked === null ? null : <ConfirmCodeDialog confirmation={asked.confirmation} onDone={done} />}
    </ConfirmContext>
  )
}
