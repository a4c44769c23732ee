import { PLACEMENT_SIDES, type PlacementSide as Side } from '@aval/contract'
import { useId, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { useFailureToast } from '../../../../ui/useFailureToast.tsx'
import { useSingleFlight } from '../../../../ui/useSingleFlight.ts'
import { usePlacementSideQuery, useSetPlacementSideMutation } from '../api.ts'

/** Where the member's next registrations are placed. Nothing is shown until it is known. */
export function PlacementSide() {
  const { t } = useTranslation('genealogy/tree')
  const id = useId()
  const sayFailed = useFailureToast()
  const { data } = usePlacementSideQuery()
  const [save] = useSetPlacementSideMutation()
  // What was chosen is shown while it is being saved, and what is saved after a failure.
  const [chosen, setChosen] = useState<Side | null>(null)
  const choose = useSingleFlight(async (side: Side) => {
    setChosen(side)
    const answer = await save(side)
    setChosen(null)
    if (answer.error !== undefined) return sayFailed(answer.error as Failure)
    toast.success(answer.data.message)
  })
  if (data === undefined) return null
  return (
    <div className="row-8">
      <label htmlFor={id} className="muted small">
        {t('placement.label')}
      </label>
      <select
        id={id}
        className="tree-side"
        value={chosen ?? data.side}
        aria-busy={chosen !== null}
        onChange={(event) => void choose(event.target.value as Side)}
      >
        {PLACEMENT_SIDES.map((side) => (
          <option key={side} value={side}>
            {t(`placement.${side}`)}
          </option>
        ))}
      </select>
    </div>
  )
}
