package io.headgate.spring;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.springframework.asm.AnnotationVisitor;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.FieldVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.Type;

/**
 * Finds what a class file refers to that the libraries on the class path do not have: types, methods and fields by their descriptors,
 * members of annotations, and names of Spring's classes in strings. A method that takes an {@code Object} here and a {@code String} there
 * compiles against both and links with one only, which is what this is for.
 */
final class Linkage {

    private final Map<String, Shape> shapes = new HashMap<>();

    /** What is declared under a name. */
    private record Shape(String parent, List<String> interfaces, Set<String> members) {}

    /** The references of a class file that cannot be resolved. */
    Set<String> missing(InputStream file) throws IOException {
        Set<String> missing = new TreeSet<>();
        new ClassReader(file).accept(new References(missing), ClassReader.SKIP_FRAMES);
        return missing;
    }

    private boolean exists(String type) {
        return shape(type) != null;
    }

    private boolean has(String owner, String member) {
        return find(owner, shape -> shape.members.contains(member));
    }

    private boolean find(String type, Predicate<Shape> wanted) {
        Shape shape = shape(type);
        return shape != null
                && (wanted.test(shape)
                        || (shape.parent != null && find(shape.parent, wanted))
                        || shape.interfaces.stream().anyMatch(each -> find(each, wanted)));
    }

    private Shape shape(String type) {
        if (!shapes.containsKey(type)) {
            shapes.put(type, type.startsWith("java/") ? ofJava(type) : ofLibrary(type));
        }
        return shapes.get(type);
    }

    private static Shape ofLibrary(String name) {
        try (InputStream file = Linkage.class.getClassLoader().getResourceAsStream(name + ".class")) {
            if (file == null) {
                return null;
            }
            ClassReader reader = new ClassReader(file);
            Set<String> members = new HashSet<>();
            reader.accept(
                    new ClassVisitor(Opcodes.ASM9) {
                        @Override
                        public MethodVisitor visitMethod(
                                int access, String name, String descriptor, String signature, String[] exceptions) {
                            members.add(name + descriptor);
                            members.add(name + "()");
                            return null;
                        }

                        @Override
                        public FieldVisitor visitField(
                                int access, String name, String descriptor, String signature, Object value) {
                            members.add(name + " " + descriptor);
                            return null;
                        }
                    },
                    ClassReader.SKIP_CODE);
            return new Shape(reader.getSuperName(), List.of(reader.getInterfaces()), members);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The compiler has seen to what is the JDK's, whose class files may be newer than the reader; what is inherited counts. */
    private static Shape ofJava(String name) {
        try {
            Class<?> type = Class.forName(name.replace('/', '.'), false, ClassLoader.getPlatformClassLoader());
            Set<String> members = new HashSet<>();
            Stream.concat(Arrays.stream(type.getMethods()), Arrays.stream(type.getDeclaredMethods()))
                    .filter(method -> !Modifier.isPrivate(method.getModifiers()))
                    .forEach(method -> members.add(method.getName() + Type.getMethodDescriptor(method)));
            Arrays.stream(type.getDeclaredConstructors())
                    .forEach(constructor -> members.add("<init>" + Type.getConstructorDescriptor(constructor)));
            Arrays.stream(type.getDeclaredFields())
                    .forEach(field -> members.add(field.getName() + " " + Type.getDescriptor(field.getType())));
            String parent = type.getSuperclass() == null ? null : Type.getInternalName(type.getSuperclass());
            return new Shape(parent, List.of(), members);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    private final class References extends ClassVisitor {

        private final Set<String> missing;

        References(Set<String> missing) {
            super(Opcodes.ASM9);
            this.missing = missing;
        }

        private void type(String name) {
            if (name != null && !name.startsWith("[") && !exists(name)) {
                missing.add(name.replace('/', '.'));
            }
        }

        private void type(Type type) {
            switch (type.getSort()) {
                case Type.ARRAY -> type(type.getElementType());
                case Type.OBJECT -> type(type.getInternalName());
                case Type.METHOD -> {
                    type(type.getReturnType());
                    Arrays.stream(type.getArgumentTypes()).forEach(this::type);
                }
                default -> {}
            }
        }

        private void member(String owner, String member) {
            if (owner.startsWith("java/") || owner.startsWith("[")) {
                return;
            }
            if (!exists(owner)) {
                type(owner);
            } else if (!has(owner, member)) {
                missing.add(owner.replace('/', '.') + "." + member);
            }
        }

        private void value(Object value) {
            if (value instanceof Type type) {
                type(type);
            } else if (value instanceof Handle handle) {
                boolean field = handle.getTag() <= Opcodes.H_PUTSTATIC;
                member(handle.getOwner(), handle.getName() + (field ? " " : "") + handle.getDesc());
            } else if (value instanceof String text && text.matches("org\\.springframework\\.[\\w.]+\\.[A-Z]\\w*")) {
                type(text.replace('.', '/'));
            }
        }

        private AnnotationVisitor annotation(String descriptor) {
            String annotation = Type.getType(descriptor).getInternalName();
            type(annotation);
            return new AnnotationVisitor(Opcodes.ASM9) {
                private void attribute(String name) {
                    if (name != null && exists(annotation)) {
                        member(annotation, name + "()");
                    }
                }

                @Override
                public void visit(String name, Object value) {
                    attribute(name);
                    value(value);
                }

                @Override
                public void visitEnum(String name, String descriptor, String constant) {
                    attribute(name);
                    member(Type.getType(descriptor).getInternalName(), constant + " " + descriptor);
                }

                @Override
                public AnnotationVisitor visitAnnotation(String name, String descriptor) {
                    attribute(name);
                    return annotation(descriptor);
                }

                @Override
                public AnnotationVisitor visitArray(String name) {
                    attribute(name);
                    return new AnnotationVisitor(Opcodes.ASM9) {
                        @Override
                        public void visit(String ignored, Object value) {
                            value(value);
                        }

                        @Override
                        public void visitEnum(String ignored, String descriptor, String constant) {
                            member(Type.getType(descriptor).getInternalName(), constant + " " + descriptor);
                        }

                        @Override
                        public AnnotationVisitor visitAnnotation(String ignored, String descriptor) {
                            return annotation(descriptor);
                        }
                    };
                }
            };
        }

        @Override
        public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
            type(parent);
            Arrays.stream(interfaces).forEach(this::type);
        }

        @Override
        public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            return annotation(descriptor);
        }

        @Override
        public FieldVisitor visitField(int access, String name, String descriptor, String signature, Object value) {
            type(Type.getType(descriptor));
            return null;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            type(Type.getMethodType(descriptor));
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
                    return annotation(descriptor);
                }

                @Override
                public AnnotationVisitor visitParameterAnnotation(int parameter, String descriptor, boolean visible) {
                    return annotation(descriptor);
                }

                @Override
                public void visitTypeInsn(int opcode, String type) {
                    type(type);
                }

                @Override
                public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
                    member(owner, name + " " + descriptor);
                }

                @Override
                public void visitMethodInsn(
                        int opcode, String owner, String name, String descriptor, boolean isInterface) {
                    member(owner, name + descriptor);
                }

                @Override
                public void visitInvokeDynamicInsn(
                        String name, String descriptor, Handle bootstrap, Object... arguments) {
                    type(Type.getMethodType(descriptor));
                    Arrays.stream(arguments).forEach(References.this::value);
                }

                @Override
                public void visitLdcInsn(Object value) {
                    value(value);
                }

                @Override
                public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
                    type(type);
                }
            };
        }
    }
}
