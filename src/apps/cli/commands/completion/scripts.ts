/** The scripts, one function a shell. They are static: completing a word starts no process. */

export type CompletionFlag = {
  readonly name: string;
  readonly summary: string;
  readonly choices: readonly string[];
  readonly takesValue: boolean;
};

export type CompletionNode = {
  readonly path: readonly string[];
  readonly summary: string;
  readonly flags: readonly CompletionFlag[];
  /** Words that may follow: commands below, or the values of the operand. */
  readonly words: readonly { readonly name: string; readonly summary: string }[];
  readonly takesFiles: boolean;
};

type Script = (nodes: readonly CompletionNode[]) => string;

export const completionScripts: ReadonlyMap<string, Script> = new Map([
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
  ["powershell", powershell],
]);

function topNames(nodes: readonly CompletionNode[]): readonly string[] {
  return nodes.filter(({ path }) => path.length === 1).map(({ path }) => path[0] ?? "");
}

function candidates(node: CompletionNode): string {
  return [...node.words.map(({ name }) => name), ...node.flags.map(({ name }) => name), "--help"].join(" ");
}

function bash(nodes: readonly CompletionNode[]): string {
  const cases = nodes.map((node) => `    "${node.path.join(" ")}") words="${candidates(node)}" ;;`);
  const choices = nodes.flatMap((node) =>
    node.flags
      .filter((flag) => flag.choices.length > 0)
      .map((flag) => {
        const values = flag.choices.join(" ");
        return `    "${node.path.join(" ")} ${flag.name}") COMPREPLY=($(compgen -W "${values}" -- "$current")); return ;;`;
      }),
  );
  return `# bash completion for postern
_postern() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case " ${nodes.map(({ path }) => path.join(" ")).join(" , ")} " in
      *" \${path:+$path }$word "*) path="\${path:+$path }$word" ;;
      *) break ;;
    esac
  done
  case "$path $previous" in
${choices.join("\n")}
  esac
  case "$path" in
    "") words="${topNames(nodes).join(" ")} --help --version" ;;
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ \${#COMPREPLY[@]} -eq 0 && "$current" != -* ]] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _postern postern
`;
}

function zsh(nodes: readonly CompletionNode[]): string {
  const cases = nodes
    .toSorted((a, b) => b.path.length - a.path.length)
    .map((node) => {
      const flags = node.flags.map((flag) => zshFlag(flag));
      const words = node.words.map(
        ({ name, summary }) => `${name}${summary === "" ? "" : `\\:${zshText(summary)}`}`,
      );
      const rest =
        words.length > 0
          ? `'*:value:((${words.map((word) => word.replaceAll(" ", "\\ ")).join(" ")}))'`
          : `'*:file:_files'`;
      return `    '${node.path.join(" ")}'*) _arguments ${[...flags, rest].join(" \\\n      ")} ;;`;
    });
  const top = nodes
    .filter(({ path }) => path.length === 1)
    .map(({ path, summary }) => `'${path[0]}:${zshText(summary)}'`);
  return `#compdef postern
_postern() {
  local -a commands=(${top.join(" ")})
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local called="\${words[2,CURRENT-1]}"
  shift words
  (( CURRENT-- ))
  case "$called" in
${cases.join("\n")}
  esac
}
if [[ "\${funcstack[1]}" == _postern ]]; then _postern "$@"; else compdef _postern postern; fi
`;
}

function zshFlag(flag: CompletionFlag): string {
  const value = !flag.takesValue
    ? ""
    : flag.choices.length > 0
      ? `:value:(${flag.choices.join(" ")})`
      : ":file:_files";
  return `'*${flag.name}[${zshText(flag.summary)}]${value}'`;
}

function zshText(text: string): string {
  return text.replaceAll("'", "").replace(/[[\]:]/g, String.raw`\$&`);
}

function fish(nodes: readonly CompletionNode[]): string {
  const lines = nodes.flatMap((node) => {
    const parents = node.path.slice(0, -1);
    const name = node.path.at(-1) ?? "";
    const when =
      parents.length === 0 ? "__fish_use_subcommand" : `__fish_seen_subcommand_from ${parents.join(" ")}`;
    const own = `complete -c postern -f -n '${when}' -a ${name} -d ${fishText(node.summary)}`;
    const seen = `-n '__fish_seen_subcommand_from ${name}'`;
    const flags = node.flags.map((flag) => {
      const value =
        flag.choices.length > 0 ? ` -x -a '${flag.choices.join(" ")}'` : flag.takesValue ? " -r" : "";
      return `complete -c postern ${seen} -l ${flag.name.slice(2)}${value} -d ${fishText(flag.summary)}`;
    });
    const words = node.path.length === 1 && node.path[0] === "completion" ? node.words : [];
    const values = words.map((word) => `complete -c postern -f ${seen} -a ${word.name}`);
    return [own, ...flags, ...values];
  });
  return `# fish completion for postern\n${lines.join("\n")}\n`;
}

function fishText(text: string): string {
  return `'${text.replaceAll("\\", "").replaceAll("'", "")}'`;
}

function powershell(nodes: readonly CompletionNode[]): string {
  const entries = nodes.map((node) => {
    const words = candidates(node)
      .split(" ")
      .map((word) => `'${word}'`);
    return `    '${node.path.join(" ")}' = @(${words.join(", ")})`;
  });
  return `# PowerShell completion for postern
Register-ArgumentCompleter -Native -CommandName postern -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $table = @{
    '' = @(${[...topNames(nodes), "--help", "--version"].map((word) => `'${word}'`).join(", ")})
${entries.join("\n")}
  }
  $path = ''
  foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
    $next = ($path + ' ' + $element.ToString()).Trim()
    if ($table.ContainsKey($next)) { $path = $next } else { break }
  }
  $table[$path] | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}
