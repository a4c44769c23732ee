import type { MemberActs } from '@aval/contract'
import { typedTogether } from '@aval/contract/typed'
import { useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { Fact } from '../../../ui/Fact.tsx'
import { formats } from '../../../ui/format.ts'
import { ActDialog } from './ActDialog.tsx'
import { useExtraPointsCostQuery, useSetExtraPointsMutation } from './api.ts'

const POINTS = /^(0|[1-9]\d?)(\.\d{1,2})?$/
const MOST = 20
/** A comma is how Spanish writes decimals. */
const read = (typed: string) => typedTogether(typed).replace(',', '.')
const isPoints = (text: string) => POINTS.test(text) && Number(text) <= MOST

interface PointsDialogProps {
  member: number
  username: string
  acts: MemberActs
  onClose: () => void
}

/** Sets extra points, with what they would have cost lately. */
export function PointsDialog({ member, username, acts, onClose }: PointsDialogProps) {
  const { t } = useTranslation('console/members/acts')
  const [send] = useSetExtraPointsMutation()
  const was = acts.extra_percent
  return (
    <ActDialog
      title={t('points.title', { member: username })}
      what={t('points.confirm', { member: username })}
      submit={t('points.submit')}
      fields={[
        {
          name: 'percent',
          label: t('points.label'),
          hint: t('points.hint'),
          start: was,
          inputMode: 'decimal',
          validate: (typed) => isPoints(read(typed)) || t('points.invalid'),
        },
      ]}
      bodyOf={({ percent = '', reason = '' }) => ({ member, percent: read(percent), was, reason })}
      send={send}
      onDone={onClose}
      onClose={onClose}
    >
      {({ percent = '' }) => (
        <>
          <p className="muted">{t('points.text', { was: formats.decimal(was) })}</p>
          <Cost member={member} percent={read(percent)} />
        </>
      )}
    </ActDialog>
  )
}

function Cost({ member, percent }: { member: number; percent: string }) {
  const { t } = useTranslation('console/members/acts')
  const asked = useDeferredValue(percent)
  const { currentData: cost } = useExtraPointsCostQuery(
    { member, percent: asked },
    { skip: !isPoints(asked) },
  )
  return (
    <dl className="figures acts-cost" aria-live="polite">
      <Fact name={t('points.basis', { count: cost?.commissions ?? 0 })}>
        {cost === undefined ? '–' : formats.money(cost.basis)}
      </Fact>
      <Fact name={t('points.paid')}>{cost === undefined ? '–' : formats.money(cost.paid)}</Fact>
      <Fact name={t('points.would')}>{cost === undefined ? '–' : formats.money(cost.would_have_paid)}</Fact>
      <Fact name={t('points.difference')}>{cost === undefined ? '–' : formats.money(cost.difference)}</Fact>
    </dl>
  )
}
