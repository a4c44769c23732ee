import { type ReactNode, useState } from 'react'
import { FailureCard } from './States.tsx'
import { type Failed, GroupContext } from './sharedFailure.ts'

/** The first cause that two or more failed for. */
function sharedCause(all: readonly Failed[]): string | null {
  const causes = all.map(({ cause }) => cause)
  return causes.find((cause, at) => causes.indexOf(cause) !== at) ?? null
}

/** A page whose parts fail for one cause says it once, with one button that tries all of them again. */
export function FailureGroup({ children }: { children: ReactNode }) {
  const [all, change] = useState<readonly Failed[]>([])
  const shared = sharedCause(all)
  const same = all.filter(({ cause }) => cause === shared)
  return (
    <GroupContext value={{ shared, change }}>
      {shared === null ? null : (
        <div className="card">
          <FailureCard
            failure={same[0]?.failure}
            retrying={same.some(({ retrying }) => retrying)}
            onRetry={() => {
              for (const { retry } of same) retry()
            }}
          />
        </div>
      )}
      {children}
    </GroupContext>
  )
}
