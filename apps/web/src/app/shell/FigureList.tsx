import { useTranslation } from 'react-i18next'
import { formats } from '../../ui/format.ts'
import { Skeleton } from '../../ui/States.tsx'

export interface Figures {
  /** Undefined while it is on its way, null when it could not be had. */
  balance: number | null | undefined
  investment: number | null | undefined
}

/** Balance and investment, which stay in sight on every page: in the sidebar, or where that has no room, in the header. */
export function FigureList({ figures, className }: { figures: Figures; className: string }) {
  const { t } = useTranslation('app')
  return (
    <dl className={className}>
      {(['balance', 'investment'] as const).map((name) => {
        const amount = figures[name]
        return (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>
              {amount === undefined ? (
                <Skeleton width={72} height={14} />
              ) : amount === null ? (
                '–'
              ) : (
                formats.money(amount)
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
