import type { BinaryPoints } from '@aval/contract'
import { useTranslation } from 'react-i18next'
import { IconCornerDownLeft, IconCornerDownRight } from '../../../ui/icons.ts'

/** A side of the binary tree: by its word, and by where its branch goes. */
export function Leg({ leg }: { leg: BinaryPoints['leg'] }) {
  const { t } = useTranslation('earnings')
  const Branch = leg === 'L' ? IconCornerDownLeft : IconCornerDownRight
  return (
    <span className="leg">
      <Branch size={16} stroke={1.7} aria-hidden="true" />
      {t(`leg.${leg}`)}
    </span>
  )
}
