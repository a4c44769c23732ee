/** How a network is shown: as a chart or a list, and which of the two trees. */
import { TREE_VIEWS, type TreeView } from '@aval/contract'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../../ui/Button.tsx'
import { IconHierarchy2, IconListTree } from '../../../../ui/icons.ts'
import type { Mode } from '../mode.ts'

export function ModeSwitch({ mode, onChange }: { mode: Mode; onChange: (mode: Mode) => void }) {
  const { t } = useTranslation('genealogy/tree')
  const other = mode === 'chart' ? 'list' : 'chart'
  const Icon = other === 'list' ? IconListTree : IconHierarchy2
  return (
    <Button
      size="small"
      kind="quiet"
      className="tree-mode"
      aria-label={t(`mode.${other}`)}
      icon={<Icon size={17} stroke={1.7} />}
      onClick={() => onChange(other)}
    >
      {t(`mode.${other}Short`)}
    </Button>
  )
}

export function ViewSwitch({ view, onChange }: { view: TreeView; onChange: (view: TreeView) => void }) {
  const { t } = useTranslation('genealogy/tree')
  const name = useId()
  return (
    <fieldset className="segments tree-switch">
      <legend className="visually-hidden">{t('view.label')}</legend>
      {TREE_VIEWS.map((option) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            checked={option === view}
            onChange={() => onChange(option)}
          />
          <span>{t(`view.${option}`)}</span>
        </label>
      ))}
    </fieldset>
  )
}
