{{- /* All objects carry one label, by which all of them are found and taken away. */ -}}
{{- define "postern.labels" -}}
app.kubernetes.io/name: postern
postern.dev/managed-by: postern
{{- end }}
{{- define "postern.selector" -}}
app.kubernetes.io/name: postern
app.kubernetes.io/component: gate
{{- end }}
