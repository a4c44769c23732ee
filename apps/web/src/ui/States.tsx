import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../api/failure.ts'
import { Button } from './Button.tsx'
import { IconAlertTriangle, type IconProps, IconRefresh } from './icons.ts'
import { useSharedFailure } from './sharedFailure.ts'
import { useFailureText } from './useFailureText.ts'

/** A place for content that is on its way, in its shape. */
export function Skeleton({ width, height }: { width: number | string; height: number | string }) {
  return <span className="skeleton" style={{ width, height, maxWidth: '100%' }} aria-hidden="true" />
}

/** A card on its way, with a bar for each thing in it: its width and its height. */
export function SkeletonCard({ bars }: { bars: readonly (readonly [number | string, number])[] }) {
  return (
    <div className="card card-pad stack-8" aria-busy="true">
      {bars.map(([width, height]) => (
        <Skeleton key={`${width} ${height}`} width={width} height={height} />
      ))}
    </div>
  )
}

/** Milliseconds until it is worth saying that an answer takes long. */
const SLOW = 4000

/** Beside a skeleton: says, once it has taken long, that nothing is lost and the answer is still waited for. */
export function SlowNote() {
  const { t } = useTranslation('ui')
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p className="slow-note muted small" role="status">
      {slow ? t('slow') : null}
    </p>
  )
}

interface EmptyStateProps {
  icon?: ComponentType<IconProps>
  text: string
  action?: ReactNode
}

export function EmptyState({ icon: Icon, text, action }: EmptyStateProps) {
  return (
    <div className="state">
      {Icon === undefined ? null : <Icon size={26} stroke={1.4} aria-hidden="true" />}
      <p className="state-text">{text}</p>
      {action}
    </div>
  )
}

interface FailureCardProps {
  failure: Failure | undefined
  retrying: boolean
  onRetry: () => void
}

/** Why something failed, and a button that tries it again. */
export function FailureCard({ failure, retrying, onRetry }: FailureCardProps) {
  const { t } = useTranslation('ui')
  const sayFailure = useFailureText()
  return (
    <div className="state" role="alert">
      <IconAlertTriangle size={26} stroke={1.5} aria-hidden="true" />
      <p className="state-text">{sayFailure(failure)}</p>
      <Button size="small" icon={<IconRefresh size={16} stroke={1.7} />} busy={retrying} onClick={onRetry}>
        {t('retry')}
      </Button>
    </div>
  )
}

interface ErrorStateProps {
  failure: Failure | undefined
  onRetry: () => void
  retrying?: boolean
}

export function ErrorState({ failure, onRetry, retrying = false }: ErrorStateProps) {
  const { t } = useTranslation('ui')
  if (!useSharedFailure(failure, onRetry, retrying))
    return <FailureCard failure={failure} retrying={retrying} onRetry={onRetry} />
  return (
    <div className="state">
      <p className="state-text muted">{t('failedAbove')}</p>
    </div>
  )
}

/** What a query of the client answers, as far as showing it goes. */
export interface QueryState<Data> {
  data?: Data | undefined
  error?: unknown
  isFetching: boolean
  refetch: () => unknown
}

interface LoadedProps<Data> {
  query: QueryState<Data>
  /** Its shape while it is on its way. */
  hold: ReactNode
  /** Whether the failure stands on a card of its own. */
  card?: boolean
  /** Whether the shape is shown again while a failed query is tried once more. */
  holdAgain?: boolean
  /** Left out where what is there is shown elsewhere. */
  children?: (data: Data) => ReactNode
}

/** What was asked for, in all its states: on its way, there, or failed with a way to try again. */
export function Loaded<Data>({ query, hold, card, holdAgain, children }: LoadedProps<Data>) {
  const { data, error, isFetching, refetch } = query
  if (data !== undefined) return children?.(data)
  if (error === undefined || (holdAgain && isFetching)) return hold
  const failed = <ErrorState failure={error as Failure} onRetry={refetch} retrying={isFetching} />
  return card ? <div className="card">{failed}</div> : failed
}
