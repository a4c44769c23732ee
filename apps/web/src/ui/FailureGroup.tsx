import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../api/failure.ts'
import { Button } from './Button.tsx'
import { IconAlertTriangle, IconRefresh } from './icons.ts'
import { useFailureText } from './useFailureText.ts'

interface Failed {
  readonly cause: string
  readonly failure: Failure | undefined
  readonly retry: () => void
  readonly retrying: boolean
}

interface Group {
  /** The cause that several parts of the page have failed for; null where none has it in common. */
  readonly shared: string | null
  readonly join: (one: Failed) => () => void
}

const GroupContext = createContext<Group>({ shared: null, join: () => () => undefined })

const causeOf = (failure: Failure | undefined) => `${failure?.status ?? ''} ${failure?.code ?? ''}`

/** The cause of most of those that failed, where two or more have it. */
function sharedCause(all: readonly Failed[]): string | null {
  const counts = new Map<string, number>()
  for (const { cause } of all) counts.set(cause, (counts.get(cause) ?? 0) + 1)
  const [cause, count] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [null, 0]
  return count > 1 ? cause : null
}

/** A page whose parts fail for one cause says it once, with one button that tries all of them again. */
export function FailureGroup({ children }: { children: ReactNode }) {
  const { t } = useTranslation('ui')
  const sayFailure = useFailureText()
  const [all, setAll] = useState<readonly Failed[]>([])
  const shared = sharedCause(all)
  const join = useCallback((one: Failed) => {
    setAll((others) => [...others, one])
    return () => setAll((others) => others.filter((other) => other !== one))
  }, [])
  const group = useMemo(() => ({ shared, join }), [shared, join])
  const same = all.filter(({ cause }) => cause === shared)
  return (
    <GroupContext value={group}>
      {shared === null ? null : (
        <div className="card state failure-group" role="alert">
          <IconAlertTriangle size={26} stroke={1.5} aria-hidden="true" />
          <p className="state-text">{sayFailure(same[0]?.failure)}</p>
          <Button
            size="small"
            icon={<IconRefresh size={16} stroke={1.7} />}
            busy={same.some(({ retrying }) => retrying)}
            onClick={() => {
              for (const { retry } of same) retry()
            }}
          >
            {t('retryAll', { count: same.length })}
          </Button>
        </div>
      )}
      {children}
    </GroupContext>
  )
}

/** Tells the page of a part that failed. @returns whether the page says the cause, and tries again, for it */
export function useSharedFailure(
  failure: Failure | undefined,
  retry: () => void,
  retrying: boolean,
): boolean {
  const { shared, join } = useContext(GroupContext)
  const latest = useRef(retry)
  latest.current = retry
  const cause = causeOf(failure)
  useEffect(
    () => join({ cause, failure, retry: () => latest.current(), retrying }),
    [join, cause, failure, retrying],
  )
  return shared === cause
}
