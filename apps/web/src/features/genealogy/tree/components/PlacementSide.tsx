import { PLACEMENT_SIDES, type PlacementSide as Side } from '@aval/contract'
import { useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import type { Failure } from '../../../../api/failure.ts'
import { useFailureToast } from '../../../../ui/useFailureToast.tsx'
import { useSingleFlight } from '../../../../ui/useSingleFlight.ts'
import { usePlacementSideQuery, useSetPlacementSideMutation } from '../api.ts'

/** Where the member's next registrations are placed, set by one press. Until it is known none is shown as chosen, nor can be. */
export function PlacementSide() {
  const { t } = useTranslation('genealogy/tree')
  const sayFailed = useFailureToast()
  const { data, isError } = usePlacementSideQuery()
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
  if (data === undefined && isError) return null
  const shown = chosen ?? data?.side
  return (
    <fieldset className="tree-setting" aria-busy={chosen !== null || data === undefined}>
      <legend className="muted small">{t('placement.label')}</legend>
      <div className="segments small">
        {PLACEMENT_SIDES.map((side) => (
          <button
            key={side}
            type="button"
            aria-pressed={side === shown}
            disabled={data === undefined}
            onClick={() => (side === shown ? undefined : void choose(side))}
          >
            {t(`placement.${side}`)}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
